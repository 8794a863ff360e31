import { type Node, unknown } from './node.ts'
import { isSimple, sugarOf } from './sugar.ts'

/** Room and work for one name: substitutions can make a short name stand for an enormous one. */
const MAX_RESULT = 32 * 1024
const MAX_STEPS = 100_000
const MAX_DEPTH = 300

/**
 * Prints a name as `swift demangle --simplified` does: no modules, no types of parameters and results, no conditions.
 */
export class Printer {
  #text = ''
  #steps = 0
  #depth = 0
  #hasSpecialization = false

  print(root: readonly Node[]): string {
    for (const child of root) this.#node(child)
    return this.#text
  }

  #say(text: string): void {
    this.#text += text
    if (this.#text.length > MAX_RESULT) unknown()
  }

  #all(nodes: readonly Node[], separator = ''): void {
    for (const [nth, child] of nodes.entries()) {
      if (nth > 0) this.#say(separator)
      this.#node(child)
    }
  }

  /** @returns the context that is yet to be printed, when one was asked for in front and cannot stand there */
  #node(it: Node, isInFront = false): Node | undefined {
    if (++this.#steps > MAX_STEPS || ++this.#depth > MAX_DEPTH) unknown()
    const left = this.#kind(it, isInFront)
    this.#depth--
    return left
  }

  #kind(it: Node, isInFront: boolean): Node | undefined {
    const [first, second] = it.children
    switch (it.kind) {
      case 'Type':
        this.#node(first ?? unknown())
        return undefined
      case 'Identifier':
      case 'Operator':
      case 'Attribute':
      case 'GenericParameter':
      case 'BuiltinTuple':
        this.#say(it.text)
        return undefined
      case 'Shown':
        this.#all(it.children)
        return undefined
      case 'List':
        this.#all(it.children, it.text)
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
        this.#say('static ')
        this.#node(first ?? unknown())
        return undefined
      case 'Extension':
        this.#all(it.children)
        return undefined
      case 'LocalName':
        this.#node(first ?? unknown())
        this.#say(` #${it.index + 1}`)
        return undefined
      case 'PrivateName':
      case 'RelatedName':
        this.#all(it.children)
        return undefined
      case 'PartialApply':
        this.#say('partial apply')
        if (first) {
          this.#say(' for ')
          this.#all(it.children)
        }
        return undefined
      case 'Specialization':
        if (!this.#hasSpecialization) this.#say('specialized ')
        this.#hasSpecialization = true
        return undefined
      case 'OpaqueReturnTypeOf':
        this.#say('<<opaque return type of ')
        this.#all(it.children)
        this.#say('>>')
        return undefined
      default:
        this.#type(it, first, second)
        return undefined
    }
  }

  #type(it: Node, first: Node | undefined, second: Node | undefined): void {
    switch (it.kind) {
      case 'FunctionType':
        this.#functionType(it, undefined)
        break
      case 'ImplFunctionType':
        this.#implFunctionType(it)
        break
      case 'ImplValue':
        this.#say(`${it.text} `)
        this.#node(first ?? unknown())
        break
      case 'Tuple':
        this.#say('(')
        this.#all(it.children, ', ')
        this.#say(')')
        break
      case 'TupleElement':
        if (it.text !== '') this.#say(`${it.text}: `)
        this.#node(first ?? unknown())
        if (it.index === 1) this.#say('...')
        break
      case 'BoundGeneric':
        this.#boundGeneric(it, first ?? unknown(), second?.children ?? [])
        break
      case 'GenericSignature':
        this.#say(`<${it.text}>`)
        break
      case 'GenericType':
        this.#node(first ?? unknown())
        if (needsSpace(second ?? unknown())) this.#say(' ')
        this.#node(second ?? unknown())
        break
      case 'Member':
        this.#all(it.children, '.')
        break
      case 'AssociatedName':
        this.#all(it.children, '.')
        break
      case 'ProtocolList':
        if (first) this.#all(it.children, ' & ')
        else this.#say('Any')
        break
      case 'Metatype': {
        const of = first?.children[0] ?? unknown()
        this.#say(it.text)
        this.#inParentheses(of)
        this.#say(of.kind === 'ExistentialMetatype' || of.kind === 'ProtocolList' ? '.Protocol' : '.Type')
        break
      }
      case 'ExistentialMetatype':
        this.#say(it.text)
        this.#node(first ?? unknown())
        this.#say('.Type')
        break
      case 'Suffixed':
        this.#inParentheses(first ?? unknown())
        this.#say(it.text)
        break
      case 'Requirement':
        this.#node(first ?? unknown())
        this.#say(it.text)
        this.#node(second ?? unknown())
        break
      default:
        unknown()
    }
  }

  /**
   * A declaration: its context in front, as far as that has one word, else behind it.
   * @returns the context that is yet to be printed
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
      const before = this.#text.length
      left = this.#node(context, true)
      if (this.#text.length > before) this.#say('.')
    }
    if (how.accessor !== undefined && isLocal) this.#say(`${how.accessor} of `)
    if (how.words !== undefined) this.#say(how.words)
    if (how.name) this.#node(how.name)
    if (how.accessor !== undefined && !isLocal) this.#say(`.${how.accessor}`)
    if (how.hasType && how.accessor === undefined) this.#signature(of, it === of ? undefined : it.children[1], isAfter)
    if (isInFront || !left) return left
    // A module is not shown, and neither is the word before it.
    if (left.kind !== 'Module') {
      this.#say(how.link ?? ' in ')
      this.#node(left)
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
    if (isAfterWords) this.#say(' ')
    let plain = signature
    if (bound) {
      this.#say('<')
      this.#all(bound.children, ', ')
      this.#say('>')
    }
    if (signature.kind === 'GenericType') {
      if (!bound) this.#node(signature.children[0] ?? unknown())
      plain = signature.children[1]?.children[0] ?? unknown()
    }
    // A type that is not a function's is not shown.
    if (plain.kind === 'FunctionType')
      this.#functionType(plain, labels?.kind === 'Labels' ? labels.children : undefined)
  }

  #functionType(it: Node, labels: readonly Node[] | undefined): void {
    const [parameters, , ...annotations] = it.children
    this.#say(it.text)
    for (const { text, children } of annotations) {
      this.#say(text)
      if (children[0]) {
        this.#node(children[0])
        this.#say(' ')
      }
    }
    const tuple = parameters?.children[0] ?? unknown()
    if (tuple.kind !== 'Tuple') {
      this.#say('(_:)')
      return
    }
    const names = tuple.children.map((element, nth) => {
      const label = labels?.[nth]
      if (labels && labels.length > 0) return label?.kind === 'Identifier' ? label.text : '_'
      return element.text || '_'
    })
    this.#say(`(${names.map((name) => `${name}:`).join('')})`)
  }

  #implFunctionType(it: Node): void {
    const [attributes, parameters, results, pattern, invocation] = it.children.map(({ children }) => children)
    for (const attribute of attributes ?? []) {
      this.#node(attribute)
      this.#say(' ')
    }
    const [signature, substitutions] = pattern ?? []
    if (signature) {
      this.#say('@substituted ')
      this.#node(signature)
      this.#say(' ')
    }
    this.#say('(')
    this.#all(parameters ?? [], ', ')
    this.#say(`) -> ${it.text}(`)
    this.#all(results ?? [], ', ')
    this.#say(')')
    for (const list of [substitutions, invocation?.[0]]) {
      if (!list) continue
      this.#say(' for <')
      this.#all(list.children, ', ')
      this.#say('>')
    }
  }

  #boundGeneric(it: Node, of: Node, types: readonly Node[]): void {
    if (of.children[0]?.kind === 'Protocol') {
      this.#all(types)
      this.#say(' as ')
      this.#node(of)
      return
    }
    const [first, second] = types
    const sugar = it.text === 'long' ? undefined : sugarOf(of, types)
    if (sugar === 'Optional' || sugar === 'ImplicitlyUnwrappedOptional') {
      this.#inParentheses(first ?? unknown())
      this.#say(sugar === 'Optional' ? '?' : '!')
    } else if (sugar !== undefined) {
      this.#say('[')
      this.#node(first ?? unknown())
      if (second) {
        this.#say(' : ')
        this.#node(second)
      }
      this.#say(']')
    } else {
      this.#node(of)
      this.#say('<')
      this.#all(types, ', ')
      this.#say('>')
    }
  }

  #inParentheses(it: Node): void {
    const isPlain = isSimple(it)
    if (!isPlain) this.#say('(')
    this.#node(it)
    if (!isPlain) this.#say(')')
  }
}

function needsSpace(it: Node): boolean {
  const plain = it.kind === 'Type' ? it.children[0] : it
  return plain?.kind !== 'FunctionType' && plain?.kind !== 'GenericType'
}
