import { NO_PACK, type Output } from './output.ts'

/** Operator precedence, from highest to lowest. */
export const PREC = {
  primary: 0,
  postfix: 1,
  unary: 2,
  cast: 3,
  pointerToMember: 4,
  multiplicative: 5,
  additive: 6,
  shift: 7,
  spaceship: 8,
  relational: 9,
  equality: 10,
  and: 11,
  xor: 12,
  or: 13,
  andIf: 14,
  orIf: 15,
  conditional: 16,
  assign: 17,
  comma: 18,
  lowest: 19,
} as const

/** A part of a name. Suffixes that follow a declared name, such as `[3]` and `(int)`, are printed separately. */
export abstract class Node {
  precedence: number = PREC.primary
  abstract left(out: Output): void
  right(_: Output): void {}
  hasRight(_: Output): boolean {
    return false
  }
  isArray(_: Output): boolean {
    return false
  }
  isFunction(_: Output): boolean {
    return false
  }
  /** Returns the last part of the name, without template arguments. The constructor has the same name. */
  baseName(): string {
    return ''
  }
  actual(_: Output): Node {
    return this
  }
  print(out: Output): void {
    out.step()
    this.left(out)
    this.right(out)
  }
  printOperand(out: Output, precedence: number = PREC.lowest, isStrict = false): void {
    if (this.precedence >= precedence + (isStrict ? 1 : 0)) out.enclosed('(', () => this.print(out), ')')
    else this.print(out)
  }
}

export function printList(out: Output, nodes: readonly Node[]): void {
  let isFirst = true
  for (const node of nodes) {
    const before = out.text
    if (!isFirst) out.add(', ')
    const { length } = out.text
    node.printOperand(out, PREC.comma)
    // Remove the comma if the pack is empty.
    if (out.text.length === length) out.text = before
    else isFirst = false
  }
}

export class Plain extends Node {
  readonly #print: (out: Output) => void
  readonly #base: () => string

  constructor(print: string | ((out: Output) => void), precedence: number = PREC.primary, base?: () => string) {
    super()
    this.#print = typeof print === 'string' ? (out) => out.add(print) : print
    this.#base = base ?? (() => (typeof print === 'string' ? print : ''))
    this.precedence = precedence
  }

  left(out: Output): void {
    this.#print(out)
  }

  override baseName(): string {
    return this.#base()
  }
}

/** A C++20 module, which prefixes the names that it contains. */
export class ModuleName extends Plain {}

export const prefixed = (prefix: string, node: Node) =>
  new Plain((out) => {
    out.add(prefix)
    node.print(out)
  })

export const suffixed = (node: Node, suffix: string) =>
  new Plain(
    (out) => {
      node.print(out)
      out.add(suffix)
    },
    PREC.primary,
    () => node.baseName(),
  )

export const qualified = (scope: Node, name: Node) =>
  new Plain(
    (out) => {
      scope.print(out)
      out.add('::')
      name.print(out)
    },
    PREC.primary,
    () => name.baseName(),
  )

export class Templated extends Plain {
  constructor(name: Node, args: Node) {
    const print = (out: Output) => {
      name.print(out)
      args.print(out)
    }
    super(print, PREC.primary, () => name.baseName())
  }
}

/** A standard abbreviation such as `Ss`. The abbreviation is expanded in the names of constructors. */
export class StandardName extends Plain {
  readonly expanded: Node

  constructor(name: string, expanded: string) {
    super(`std::${name}`, PREC.primary, () => name)
    this.expanded = new Plain(`std::${expanded}`, PREC.primary, () => /^\w+/.exec(expanded)?.[0] ?? '')
  }
}

/** A pack in a template argument list. All arguments of the pack are printed. */
export class ArgumentPack extends Plain {
  readonly elements: readonly Node[]

  constructor(elements: readonly Node[]) {
    super((out) => printList(out, elements))
    this.elements = elements
  }
}

/** A use of a parameter pack. The arguments of the pack are printed one at a time. */
export class ParameterPack extends Node {
  readonly #elements: readonly Node[]

  constructor(elements: readonly Node[]) {
    super()
    this.#elements = elements
  }

  #current(out: Output): Node | undefined {
    if (out.packSize === NO_PACK) {
      out.packSize = this.#elements.length
      out.packIndex = 0
    }
    return this.#elements[out.packIndex]
  }

  left(out: Output): void {
    this.#current(out)?.left(out)
  }
  override right(out: Output): void {
    this.#current(out)?.right(out)
  }
  override hasRight(out: Output): boolean {
    return this.#current(out)?.hasRight(out) ?? false
  }
  override isArray(out: Output): boolean {
    return this.#current(out)?.isArray(out) ?? false
  }
  override isFunction(out: Output): boolean {
    return this.#current(out)?.isFunction(out) ?? false
  }
  override actual(out: Output): Node {
    return this.#current(out)?.actual(out) ?? this
  }
}

/** Prints a pattern once for each element of the pack that it contains. */
export function expansion(child: Node): Node {
  return new Plain((out) => {
    const { packIndex, packSize, text } = out
    out.packIndex = NO_PACK
    out.packSize = NO_PACK
    child.print(out)
    if (out.packSize === NO_PACK) out.add('...')
    else if (out.packSize === 0) out.text = text
    else {
      for (let index = 1; index < out.packSize; index++) {
        out.add(', ')
        out.packIndex = index
        child.print(out)
      }
    }
    out.packIndex = packIndex
    out.packSize = packSize
  })
}

/** A reference to a template argument that occurs later in the name. The argument is set as soon as it has been read. */
export class ForwardReference extends Node {
  readonly index: number
  target: Node | undefined
  #isPrinting = false

  constructor(index: number) {
    super()
    this.index = index
  }

  #once<T>(otherwise: T, ask: (node: Node) => T): T {
    if (this.#isPrinting || !this.target) return otherwise
    this.#isPrinting = true
    const answer = ask(this.target)
    this.#isPrinting = false
    return answer
  }

  left(out: Output): void {
    this.#once(undefined, (node) => node.left(out))
  }
  override right(out: Output): void {
    this.#once(undefined, (node) => node.right(out))
  }
  override hasRight(out: Output): boolean {
    return this.#once(false, (node) => node.hasRight(out))
  }
  override isArray(out: Output): boolean {
    return this.#once(false, (node) => node.isArray(out))
  }
  override isFunction(out: Output): boolean {
    return this.#once(false, (node) => node.isFunction(out))
  }
  override actual(out: Output): Node {
    return this.#once<Node>(this, (node) => node.actual(out))
  }
}
