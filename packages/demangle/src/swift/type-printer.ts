import { type Node, unknown } from './node.ts'
import { isSimple, sugarOf } from './sugar.ts'

/** Limits for the output and for the number of steps. Even a short name can expand enormously through substitutions. */
const MAX_RESULT = 32 * 1024
const MAX_STEPS = 100_000
const MAX_DEPTH = 300

/** Prints types. Subclasses print all other nodes in {@link kind}. */
export abstract class TypePrinter {
  protected text = ''
  #steps = 0
  #depth = 0

  /**
   * @returns the context that the caller still has to print. Set only if `isInFront` is true and the context cannot be printed before the
   * name.
   */
  protected abstract kind(it: Node, isInFront: boolean): Node | undefined

  protected say(text: string): void {
    this.text += text
    if (this.text.length > MAX_RESULT) unknown()
  }

  protected all(nodes: readonly Node[], separator = ''): void {
    for (const [nth, child] of nodes.entries()) {
      if (nth > 0) this.say(separator)
      this.node(child)
    }
  }

  protected node(it: Node, isInFront = false): Node | undefined {
    if (++this.#steps > MAX_STEPS || ++this.#depth > MAX_DEPTH) unknown()
    const left = this.kind(it, isInFront)
    this.#depth--
    return left
  }

  protected type(it: Node, first: Node | undefined, second: Node | undefined): void {
    switch (it.kind) {
      case 'FunctionType':
        this.functionType(it, undefined)
        break
      case 'ImplFunctionType':
        this.#implFunctionType(it)
        break
      case 'ImplValue':
        this.say(`${it.text} `)
        this.node(first ?? unknown())
        break
      case 'Tuple':
        this.say('(')
        this.all(it.children, ', ')
        this.say(')')
        break
      case 'TupleElement':
        if (it.text !== '') this.say(`${it.text}: `)
        this.node(first ?? unknown())
        if (it.index === 1) this.say('...')
        break
      case 'BoundGeneric':
        this.#boundGeneric(it, first ?? unknown(), second?.children ?? [])
        break
      case 'GenericSignature':
        this.say(`<${it.text}>`)
        break
      case 'GenericType':
        this.node(first ?? unknown())
        if (needsSpace(second ?? unknown())) this.say(' ')
        this.node(second ?? unknown())
        break
      case 'Member':
        this.all(it.children, '.')
        break
      case 'AssociatedName':
        this.all(it.children, '.')
        break
      case 'ProtocolList':
        if (first) this.all(it.children, ' & ')
        else this.say('Any')
        break
      case 'Metatype': {
        const of = first?.children[0] ?? unknown()
        this.say(it.text)
        this.inParentheses(of)
        this.say(of.kind === 'ExistentialMetatype' || of.kind === 'ProtocolList' ? '.Protocol' : '.Type')
        break
      }
      case 'ExistentialMetatype':
        this.say(it.text)
        this.node(first ?? unknown())
        this.say('.Type')
        break
      case 'Suffixed':
        this.inParentheses(first ?? unknown())
        this.say(it.text)
        break
      case 'Requirement':
        this.node(first ?? unknown())
        this.say(it.text)
        this.node(second ?? unknown())
        break
      default:
        unknown()
    }
  }

  protected functionType(it: Node, labels: readonly Node[] | undefined): void {
    const [parameters, , ...annotations] = it.children
    this.say(it.text)
    for (const { text, children } of annotations) {
      this.say(text)
      if (children[0]) {
        this.node(children[0])
        this.say(' ')
      }
    }
    const tuple = parameters?.children[0] ?? unknown()
    if (tuple.kind !== 'Tuple') {
      this.say('(_:)')
      return
    }
    const names = tuple.children.map((element, nth) => {
      const label = labels?.[nth]
      if (labels && labels.length > 0) return label?.kind === 'Identifier' ? label.text : '_'
      return element.text || '_'
    })
    this.say(`(${names.map((name) => `${name}:`).join('')})`)
  }

  #implFunctionType(it: Node): void {
    const [attributes, parameters, results, pattern, invocation] = it.children.map(({ children }) => children)
    for (const attribute of attributes ?? []) {
      this.node(attribute)
      this.say(' ')
    }
    const [signature, substitutions] = pattern ?? []
    if (signature) {
      this.say('@substituted ')
      this.node(signature)
      this.say(' ')
    }
    this.say('(')
    this.all(parameters ?? [], ', ')
    this.say(`) -> ${it.text}(`)
    this.all(results ?? [], ', ')
    this.say(')')
    for (const list of [substitutions, invocation?.[0]]) {
      if (!list) continue
      this.say(' for <')
      this.all(list.children, ', ')
      this.say('>')
    }
  }

  #boundGeneric(it: Node, of: Node, types: readonly Node[]): void {
    if (of.children[0]?.kind === 'Protocol') {
      this.all(types)
      this.say(' as ')
      this.node(of)
      return
    }
    const [first, second] = types
    const sugar = it.text === 'long' ? undefined : sugarOf(of, types)
    if (sugar === 'Optional' || sugar === 'ImplicitlyUnwrappedOptional') {
      this.inParentheses(first ?? unknown())
      this.say(sugar === 'Optional' ? '?' : '!')
    } else if (sugar !== undefined) {
      this.say('[')
      this.node(first ?? unknown())
      if (second) {
        this.say(' : ')
        this.node(second)
      }
      this.say(']')
    } else {
      this.node(of)
      this.say('<')
      this.all(types, ', ')
      this.say('>')
    }
  }

  protected inParentheses(it: Node): void {
    const isPlain = isSimple(it)
    if (!isPlain) this.say('(')
    this.node(it)
    if (!isPlain) this.say(')')
  }
}

function needsSpace(it: Node): boolean {
  const plain = it.kind === 'Type' ? it.children[0] : it
  return plain?.kind !== 'FunctionType' && plain?.kind !== 'GenericType'
}
