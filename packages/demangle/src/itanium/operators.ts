import { PREC } from './nodes.ts'

type OperatorKind =
  | 'binary'
  | 'prefix'
  | 'postfix'
  | 'subscript'
  | 'member'
  | 'new'
  | 'delete'
  | 'call'
  | 'conditional'
  | 'namedCast'
  | 'cast'
  | 'of'
  | 'nameOnly'

export interface Operator {
  kind: OperatorKind
  /**
   * Depending on `kind`, the flag marks operators that apply to types, array forms, operators that are printed in parentheses, or
   * overloadable member operators.
   */
  flag: boolean
  precedence: number
  symbol: string
}

type Row = readonly [code: string, kind: OperatorKind, precedence: keyof typeof PREC, symbol: string, flag?: boolean]

/**
 * Source: Itanium C++ ABI, section 5.1.3 "Operator Encodings". The precedence follows C++, except for division, which LLVM prints in
 * parentheses.
 */
const ROWS: readonly Row[] = [
  ['aN', 'binary', 'assign', '&='],
  ['aS', 'binary', 'assign', '='],
  ['aa', 'binary', 'andIf', '&&'],
  ['ad', 'prefix', 'unary', '&'],
  ['an', 'binary', 'and', '&'],
  ['at', 'of', 'unary', 'alignof ', true],
  ['aw', 'nameOnly', 'primary', 'co_await'],
  ['az', 'of', 'unary', 'alignof '],
  ['cc', 'namedCast', 'postfix', 'const_cast'],
  ['cl', 'call', 'postfix', '()'],
  ['cm', 'binary', 'comma', ','],
  ['co', 'prefix', 'unary', '~'],
  ['cp', 'call', 'postfix', '()', true],
  ['cv', 'cast', 'cast', ''],
  ['dV', 'binary', 'assign', '/='],
  ['da', 'delete', 'unary', 'delete[]', true],
  ['dc', 'namedCast', 'postfix', 'dynamic_cast'],
  ['de', 'prefix', 'unary', '*'],
  ['dl', 'delete', 'unary', 'delete'],
  ['ds', 'member', 'pointerToMember', '.*'],
  ['dt', 'member', 'postfix', '.'],
  ['dv', 'binary', 'assign', '/'],
  ['eO', 'binary', 'assign', '^='],
  ['eo', 'binary', 'xor', '^'],
  ['eq', 'binary', 'equality', '=='],
  ['ge', 'binary', 'relational', '>='],
  ['gt', 'binary', 'relational', '>'],
  ['ix', 'subscript', 'postfix', '[]'],
  ['lS', 'binary', 'assign', '<<='],
  ['le', 'binary', 'relational', '<='],
  ['ls', 'binary', 'shift', '<<'],
  ['lt', 'binary', 'relational', '<'],
  ['mI', 'binary', 'assign', '-='],
  ['mL', 'binary', 'assign', '*='],
  ['mi', 'binary', 'additive', '-'],
  ['ml', 'binary', 'multiplicative', '*'],
  ['mm', 'postfix', 'postfix', '--'],
  ['na', 'new', 'unary', 'new[]', true],
  ['ne', 'binary', 'equality', '!='],
  ['ng', 'prefix', 'unary', '-'],
  ['nt', 'prefix', 'unary', '!'],
  ['nw', 'new', 'unary', 'new'],
  ['oR', 'binary', 'assign', '|='],
  ['oo', 'binary', 'orIf', '||'],
  ['or', 'binary', 'or', '|'],
  ['pL', 'binary', 'assign', '+='],
  ['pl', 'binary', 'additive', '+'],
  ['pm', 'member', 'pointerToMember', '->*', true],
  ['pp', 'postfix', 'postfix', '++'],
  ['ps', 'prefix', 'unary', '+'],
  ['pt', 'member', 'postfix', '->', true],
  ['qu', 'conditional', 'conditional', '?'],
  ['rM', 'binary', 'assign', '%='],
  ['rS', 'binary', 'assign', '>>='],
  ['rc', 'namedCast', 'postfix', 'reinterpret_cast'],
  ['rm', 'binary', 'multiplicative', '%'],
  ['rs', 'binary', 'shift', '>>'],
  ['sc', 'namedCast', 'postfix', 'static_cast'],
  ['ss', 'binary', 'spaceship', '<=>'],
  ['st', 'of', 'unary', 'sizeof ', true],
  ['sz', 'of', 'unary', 'sizeof '],
  ['te', 'of', 'postfix', 'typeid '],
  ['ti', 'of', 'postfix', 'typeid ', true],
]

export const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  ROWS.map(([code, kind, precedence, symbol, flag = false]) => [
    code,
    { kind, flag, precedence: PREC[precedence], symbol },
  ]),
)

/** Kinds of operators that occur only in expressions and have no declaration. */
const NAMELESS: ReadonlySet<OperatorKind> = new Set(['namedCast', 'of', 'cast'])

export function operatorName({ kind, flag, symbol }: Operator): string | undefined {
  if (NAMELESS.has(kind) || (kind === 'member' && !flag)) return undefined
  return `operator${/^[a-z]/.test(symbol) ? ' ' : ''}${symbol}`
}
