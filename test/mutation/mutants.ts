import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

/** One change in one place of a source file. */
export interface Mutant {
  /** Absolute path of the file. */
  file: string
  /** UTF-16 offsets of the replaced text. */
  start: number
  end: number
  replacement: string
  /** Stryker's name for it. */
  mutator: string
  /** Starts at 1. */
  line: number
  /** Outside of functions: evaluated once, when the file is loaded. */
  isOnce: boolean
  /** The code that is evaluated when the mutant is reached. For a block, its inside. */
  reached: { start: number; end: number; block: boolean; opensStatement: boolean }
}

/** The replacement for each operator. */
const SWAPPED: Record<string, Record<string, string>> = {
  EqualityOperator: { '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  LogicalOperator: { '&&': '||', '||': '&&', '??': '&&' },
  ArithmeticOperator: { '+': '-', '-': '+', '*': '/', '/': '*' },
}

/** UTF-16 offsets. */
interface Range {
  start: number
  end: number
}

/** A node of ESTree with TypeScript, with the fields that are used here. */
interface Node {
  type: string
  start: number
  end: number
  [property: string]: unknown
}

/** All mutants of a file. Types and imports have none. */
export function mutantsOf(file: string): Mutant[] {
  const text = readFileSync(file, 'utf8')
  const mutants: Mutant[] = []
  const statements = new Set<number>()
  let functions = 0
  const replace = ({ start, end }: Range, replacement: string, mutator: string, by: Range = { start, end }) => {
    const line = text.slice(0, start).split('\n').length
    const block = mutator === 'BlockStatement'
    const inside = block ? { start: start + 1, end: end - 1 } : { start: by.start, end: by.end }
    const reached = { ...inside, block, opensStatement: statements.has(inside.start) }
    mutants.push({ file, start, end, replacement, mutator, line, isOnce: functions === 0, reached })
  }
  const visit = (node: Node) => {
    const { type, operator } = node
    if (type.startsWith('TS') && !/^TS(?:As|NonNull|Satisfies)/.test(type)) return
    if (['ImportDeclaration', 'ExportAllDeclaration', 'ExportSpecifier'].includes(type)) return
    if (type === 'ExportNamedDeclaration' && node.source) return
    const of = (name: string) => node[name] as Node
    if (type === 'ExpressionStatement') statements.add(node.start)
    if (type === 'BinaryExpression' || type === 'LogicalExpression') {
      // There is no difference of two strings.
      const joins = operator === '+' && [of('left'), of('right')].some(isText)
      for (const [mutator, swapped] of Object.entries(SWAPPED)) {
        const by = swapped[operator as string]
        if (by === undefined || joins) continue
        const start = text.indexOf(operator as string, of('left').end)
        replace({ start, end: start + (operator as string).length }, by, mutator, node)
      }
    } else if (['IfStatement', 'ConditionalExpression', 'WhileStatement'].includes(type)) {
      if (type !== 'WhileStatement') replace(of('test'), 'true', 'ConditionalExpression')
      replace(of('test'), 'false', 'ConditionalExpression')
    } else if (type === 'UnaryExpression' && operator === '!') {
      replace({ start: node.start, end: of('argument').start }, '', 'BooleanLiteral', node)
    } else if (type === 'Literal' && typeof node.value === 'boolean') {
      replace(node, String(!node.value), 'BooleanLiteral')
    } else if (type === 'Literal' && typeof node.value === 'string' && node.value !== '') {
      replace(node, "''", 'StringLiteral')
    } else if (type === 'ArrayExpression' && (node.elements as unknown[]).length > 0) {
      replace(node, '[]', 'ArrayDeclaration')
    } else if (type === 'BlockStatement' && (node.body as unknown[]).length > 0) {
      replace(node, '{}', 'BlockStatement')
    } else if (type === 'ExpressionStatement') replace(node, ';', 'ExpressionStatement', of('expression'))
    const isFunction = /Function|^PropertyDefinition$/.test(type)
    if (isFunction) functions++
    for (const [name, child] of Object.entries(node)) {
      // A property's name is not a string value, and tests never check a module's name.
      if ((name === 'key' && !node.computed) || type === 'ImportExpression') continue
      for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) visit(each)
    }
    if (isFunction) functions--
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node)
  return mutants
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function isText({ type, value }: Node): boolean {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')
}

/** A file that calls `globalThis.reached` with a mutant's number at each position where that mutant would be evaluated. */
export function watchedText(file: string, mutants: { index: number; mutant: Mutant }[]): string {
  const changes = mutants.flatMap(({ index, mutant: { reached } }) => {
    const { start, end, block, opensStatement } = reached
    const call = `globalThis.reached?.(${index})`
    // Without semicolons, a line that begins with a parenthesis would continue the previous line.
    const text = block ? `;${call};` : `${opensStatement ? '0, ' : ''}(${call}, `
    // At the same offset, the range that opens first ends last, and ends come before starts.
    const open = { at: start, order: 1 / (1 + end), opens: 1, text }
    return block ? [open] : [{ at: end, order: -start, opens: 0, text: ')' }, open]
  })
  changes.sort((a, b) => a.at - b.at || a.opens - b.opens || a.order - b.order)
  const text = readFileSync(file, 'utf8')
  let watched = ''
  let from = 0
  for (const { at, text: added } of changes) {
    watched += text.slice(from, at) + added
    from = at
  }
  return watched + text.slice(from)
}

/** Whether the mutant's file can be parsed. Any test would find an unparsable one. */
export function isReadable(mutant: Mutant): boolean {
  try {
    parseAst(mutatedText(mutant), { lang: 'ts' })
    return true
  } catch {
    return false
  }
}

/** The text of the mutant's file. */
export function mutatedText({ file, start, end, replacement }: Mutant): string {
  const text = readFileSync(file, 'utf8')
  return text.slice(0, start) + replacement + text.slice(end)
}
