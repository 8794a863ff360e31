import { type ForwardReference, type Node, Plain } from './nodes.ts'
import { OPERATORS, type Operator } from './operators.ts'
import { DAMAGED } from './output.ts'

export interface NameFacts {
  qualifiers: string
  reference: string
  /** Whether the name ends with template arguments. Such names include the return type. */
  endsWithTemplateArgs: boolean
  isConstructorOrConversion: boolean
  hasExplicitObject: boolean
}

/** Reads a mangled name. Parts that were read earlier are kept, because later parts can refer to them. */
export abstract class Reader {
  readonly text: string
  at = 0
  /** The parts that `S_`, `S0_` and so on refer to. */
  protected readonly substitutions: Node[] = []
  /** Template arguments by level: `T_` refers to level 0, and `TL0__` refers to level 1. */
  protected templateParams: (Node[] | undefined)[] = []
  protected outerParams: Node[] = []
  protected forwardReferences: ForwardReference[] = []
  protected allowsForwardReferences = false
  protected triesTemplateArgs = true
  /**
   * Whether template parameters are printed in mangled form. Constraints require this form, because the levels of their parameters are
   * ambiguous.
   */
  protected showsParamsEncoded = false
  protected lambdaLevel = -1
  protected readonly inventedNames = { $T: 0, $N: 0, $TT: 0 }

  constructor(text: string) {
    this.text = text
  }

  abstract encoding(): Node
  abstract name(facts?: NameFacts): Node
  abstract unscopedName(facts: NameFacts | undefined): { node: Node; isSubstitution: boolean }
  abstract unnamedTypeName(facts: NameFacts | undefined): Node
  abstract operatorName(facts: NameFacts | undefined): Node
  abstract sourceName(): Plain
  abstract withAbiTags(name: Node): Node
  abstract type(): Node
  abstract templateArgs(isOfName?: boolean): Node
  abstract templateArg(): Node
  abstract templateParam(): Node
  abstract expression(): Node
  abstract primary(): Node

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  protected look(ahead = 0): string {
    return this.text[this.at + ahead] ?? ''
  }

  protected take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  protected expect(text: string): void {
    if (!this.take(text)) this.fail()
  }

  protected fail(): never {
    throw DAMAGED
  }

  protected get isDigit(): boolean {
    return isDigit(this.look())
  }

  /** Reads a number that uses `n` as the minus sign. Returns an empty string if there are no digits. */
  protected number(allowsNegative = false): string {
    const start = this.at
    if (allowsNegative) this.take('n')
    if (!this.isDigit) {
      this.at = start
      return ''
    }
    while (this.isDigit) this.at++
    return this.text.slice(start, this.at)
  }

  protected integer(): number {
    const digits = this.number()
    return digits === '' || digits.length > 9 ? this.fail() : Number(digits)
  }

  /** Reads an index: `_` is 0, `0_` is 1, `1_` is 2, and so on. */
  protected index(radix: 10 | 36): number {
    if (this.take('_')) return 0
    const pattern = radix === 36 ? /[0-9A-Z]/ : /[0-9]/
    const start = this.at
    while (pattern.test(this.look())) this.at++
    const digits = this.text.slice(start, this.at)
    if (digits === '' || digits.length > 6) this.fail()
    this.expect('_')
    return Number.parseInt(digits, radix) + 1
  }

  protected operator(): Operator | undefined {
    const operator = OPERATORS.get(this.text.slice(this.at, this.at + 2))
    if (operator) this.at += 2
    return operator
  }

  protected until(end: string, read: () => Node): Node[] {
    const nodes: Node[] = []
    while (!this.take(end)) nodes.push(read())
    return nodes
  }

  protected qualifiers(): string {
    const restrict = this.take('r') ? ' restrict' : ''
    const volatile = this.take('V') ? ' volatile' : ''
    return `${this.take('K') ? ' const' : ''}${volatile}${restrict}`
  }

  /** Reads a nested encoding, to which the template parameters of the enclosing name do not apply. */
  protected apart<T>(run: () => T): T {
    const { templateParams, outerParams } = this
    this.templateParams = []
    this.outerParams = []
    const result = run()
    this.templateParams = templateParams
    this.outerParams = outerParams
    return result
  }

  protected constraint(): Node {
    const outer = this.showsParamsEncoded
    this.showsParamsEncoded = true
    const expression = this.expression()
    this.showsParamsEncoded = outer
    return expression
  }

  protected optionalConstraint(): Node | undefined {
    return this.take('Q') ? this.constraint() : undefined
  }

  protected plain(text: string): Node {
    return new Plain(text)
  }
}

export function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}
