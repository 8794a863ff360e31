import { Node, Plain, printList } from './nodes.ts'
import type { Output } from './output.ts'

export class Qualified extends Node {
  readonly #type: Node
  readonly #qualifiers: string

  constructor(type: Node, qualifiers: string) {
    super()
    this.#type = type
    this.#qualifiers = qualifiers
  }

  left(out: Output): void {
    this.#type.left(out)
    out.add(this.#qualifiers)
  }
  override right(out: Output): void {
    this.#type.right(out)
  }
  override hasRight(out: Output): boolean {
    return this.#type.hasRight(out)
  }
  override isArray(out: Output): boolean {
    return this.#type.isArray(out)
  }
  override isFunction(out: Output): boolean {
    return this.#type.isFunction(out)
  }
}

export class WithProtocol extends Node {
  readonly #type: Node
  readonly protocol: string

  constructor(type: Node, protocol: string) {
    super()
    this.#type = type
    this.protocol = protocol
  }

  get isAnyClass(): boolean {
    return this.#type instanceof Plain && this.#type.baseName() === 'objc_object'
  }

  left(out: Output): void {
    this.#type.print(out)
    out.add(`<${this.protocol}>`)
  }
}

export class Pointer extends Node {
  readonly #to: Node
  readonly #holder: Node | undefined

  constructor(to: Node, holder?: Node) {
    super()
    this.#to = to
    this.#holder = holder
  }

  left(out: Output): void {
    // In Objective-C, `id` is already a pointer.
    if (!this.#holder && this.#to instanceof WithProtocol && this.#to.isAnyClass) {
      out.add(`id<${this.#to.protocol}>`)
      return
    }
    const isBracketed = this.#to.isArray(out) || this.#to.isFunction(out)
    this.#to.left(out)
    if (this.#holder) {
      out.add(isBracketed ? '(' : ' ')
      this.#holder.print(out)
      out.add('::*')
      return
    }
    if (this.#to.isArray(out)) out.add(' ')
    out.add(isBracketed ? '(*' : '*')
  }
  override right(out: Output): void {
    if (this.#to.isArray(out) || this.#to.isFunction(out)) out.add(')')
    this.#to.right(out)
  }
  override hasRight(out: Output): boolean {
    return this.#to.hasRight(out)
  }
}

/** A reference. As in C++, references to references collapse. */
export class Reference extends Node {
  readonly #to: Node
  readonly #isLeftValue: boolean

  constructor(to: Node, isLeftValue: boolean) {
    super()
    this.#to = to
    this.#isLeftValue = isLeftValue
  }

  #collapsed(out: Output): { to: Node; isLeftValue: boolean } {
    let to = this.#to
    let isLeftValue = this.#isLeftValue
    for (let inner = to.actual(out); inner instanceof Reference; inner = to.actual(out)) {
      out.step()
      to = inner.#to
      isLeftValue ||= inner.#isLeftValue
    }
    return { to, isLeftValue }
  }

  left(out: Output): void {
    const { to, isLeftValue } = this.#collapsed(out)
    to.left(out)
    if (to.isArray(out)) out.add(' ')
    if (to.isArray(out) || to.isFunction(out)) out.add('(')
    out.add(isLeftValue ? '&' : '&&')
  }
  override right(out: Output): void {
    const { to } = this.#collapsed(out)
    if (to.isArray(out) || to.isFunction(out)) out.add(')')
    to.right(out)
  }
  override hasRight(out: Output): boolean {
    return this.#to.hasRight(out)
  }
}

export class ArrayOf extends Node {
  readonly #element: Node
  readonly #size: Node | undefined

  constructor(element: Node, size: Node | undefined) {
    super()
    this.#element = element
    this.#size = size
  }

  left(out: Output): void {
    this.#element.left(out)
  }
  override right(out: Output): void {
    if (!out.text.endsWith(']')) out.add(' ')
    out.enclosed('[', () => this.#size?.print(out), ']')
    this.#element.right(out)
  }
  override hasRight(): boolean {
    return true
  }
  override isArray(): boolean {
    return true
  }
}

interface Signature {
  result: Node | undefined
  parameters: readonly Node[]
  /** Prints the qualifiers, the reference and the exception specification, each with a leading space. */
  after: (out: Output) => void
}

/** A function entity (with a name) or a function type (without a name). */
export class Callable extends Node {
  readonly #name: Node | undefined
  readonly #signature: Signature

  constructor(name: Node | undefined, signature: Signature) {
    super()
    this.#name = name
    this.#signature = signature
  }

  left(out: Output): void {
    const { result } = this.#signature
    if (result) {
      result.left(out)
      if (!this.#name || !result.hasRight(out)) out.add(' ')
    }
    this.#name?.print(out)
  }
  override right(out: Output): void {
    const { parameters, result, after } = this.#signature
    out.enclosed('(', () => printList(out, parameters), ')')
    result?.right(out)
    after(out)
  }
  override hasRight(): boolean {
    return true
  }
  override isFunction(): boolean {
    return true
  }
  override baseName(): string {
    return this.#name?.baseName() ?? ''
  }
}
