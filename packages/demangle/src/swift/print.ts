import { type Node, unknown } from './node.ts'
import { TypePrinter } from './type-printer.ts'

/** Prints a name in the format of `swift demangle --simplified`, which omits modules, parameter types, result types and conditions. */
export class Printer extends TypePrinter {
  #hasSpecialization = false

  print(root: readonly Node[]): string {
    for (const child of root) this.node(child)
    return this.text
  }

  protected kind(it: Node, isInFront: boolean): Node | undefined {
    const [first, second] = it.children
    switch (it.kind) {
      case 'Type':
        this.node(first ?? unknown())
        return undefined
      case 'Identifier':
      case 'Operator':
      case 'Attribute':
      case 'GenericParameter':
      case 'BuiltinTuple':
        this.say(it.text)
        return undefined
      case 'Shown':
      case 'Location':
        this.all(it.children)
        return undefined
      case 'List':
        this.all(it.children, it.text)
        return undefined
      case 'Module':
      case 'AnonymousContext':
      case 'Suffix':
        return undefined
      case 'Class':
      case 'Structure':
      case 'Enum':
      case 'Protocol':
      case 'TypeAlias':
      case 'OtherNominal':
        return this.#entity(it, isInFront, { name: second })
      case 'Function':
      case 'BoundFunction':
        return this.#entity(it, isInFront, { name: (it.kind === 'Function' ? it : first)?.children[1], hasType: true })
      case 'Variable':
        return this.#entity(it, isInFront, { name: second, isStorage: true })
      case 'Subscript':
        return this.#entity(it, isInFront, { words: 'subscript', hasType: true })
      case 'Accessor':
        return this.#accessor(first ?? unknown(), it.text, isInFront)
      case 'Constructor':
        return this.#entity(it, isInFront, { words: it.text, hasType: true })
      case 'Destructor':
        return this.#entity(it, isInFront, { words: it.text })
      case 'Closure':
        return this.#entity(it, isInFront, { words: `${it.text}${it.index}`, isAfter: true })
      case 'Initializing':
        return this.#entity(it, isInFront, { words: it.text, isAfter: true, link: ' of ' })
      case 'Macro':
        return this.#entity(it, isInFront, { words: `${it.text} of `, name: second, isAfter: true })
      case 'Static':
        this.say('static ')
        this.node(first ?? unknown())
        return undefined
      case 'Extension':
        this.all(it.children)
        return undefined
      case 'LocalName':
        this.node(first ?? unknown())
        this.say(` #${it.index + 1}`)
        return undefined
      case 'PrivateName':
      case 'RelatedName':
        this.all(it.children)
        return undefined
      case 'PartialApply':
        this.say('partial apply')
        if (first) {
          this.say(' for ')
          this.all(it.children)
        }
        return undefined
      case 'Specialization':
        if (!this.#hasSpecialization) this.say('specialized ')
        this.#hasSpecialization = true
        return undefined
      case 'OpaqueReturnTypeOf':
        this.say('<<opaque return type of ')
        this.all(it.children)
        this.say('>>')
        return undefined
      default:
        this.type(it, first, second)
        return undefined
    }
  }

  /**
   * Prints a declaration. Contexts that consist of one word are printed before the name, and longer contexts after the name.
   * @returns the context that the caller still has to print.
   */
  #entity(
    it: Node,
    isInFront: boolean,
    how: {
      name?: Node | undefined
      words?: string
      hasType?: boolean
      isStorage?: boolean
      isAfter?: boolean
      link?: string
      accessor?: string
    },
  ): Node | undefined {
    const of = it.kind === 'BoundFunction' ? (it.children[0] ?? unknown()) : it
    const isLocal = how.name?.kind === 'LocalName'
    const isAfter = how.isAfter === true || isLocal
    if (isInFront && (how.hasType || how.isStorage || isAfter)) return it
    const context = of.children[0] ?? unknown()
    let left: Node | undefined
    if (isAfter) left = context
    else {
      const before = this.text.length
      left = this.node(context, true)
      if (this.text.length > before) this.say('.')
    }
    if (how.accessor !== undefined && isLocal) this.say(`${how.accessor} of `)
    if (how.words !== undefined) this.say(how.words)
    if (how.name) this.node(how.name)
    if (how.accessor !== undefined && !isLocal) this.say(`.${how.accessor}`)
    if (how.hasType && how.accessor === undefined) this.#signature(of, it === of ? undefined : it.children[1], isAfter)
    if (isInFront || !left) return left
    // If the context is a module, neither the module nor ` in ` is printed.
    if (left.kind !== 'Module') {
      this.say(how.link ?? ' in ')
      this.node(left)
    }
    return undefined
  }

  #accessor(of: Node, accessor: string, isInFront: boolean): Node | undefined {
    if (of.kind === 'Subscript') return this.#entity(of, isInFront, { words: 'subscript', accessor, isStorage: true })
    if (of.kind !== 'Variable') unknown()
    return this.#entity(of, isInFront, { name: of.children[1], accessor, isStorage: true })
  }

  #signature(of: Node, bound: Node | undefined, isAfterWords: boolean): void {
    const [, , labels, type] = of.children
    const signature = type?.children[0] ?? unknown()
    if (isAfterWords) this.say(' ')
    let plain = signature
    if (bound) {
      this.say('<')
      this.all(bound.children, ', ')
      this.say('>')
    }
    if (signature.kind === 'GenericType') {
      if (!bound) this.node(signature.children[0] ?? unknown())
      plain = signature.children[1]?.children[0] ?? unknown()
    }
    // Only function types are printed.
    if (plain.kind === 'FunctionType') this.functionType(plain, labels?.kind === 'Labels' ? labels.children : undefined)
  }
}
