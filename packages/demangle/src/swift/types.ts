import { nominal, popContext, popProtocol } from './contexts.ts'
import { annotation, functionType, popGenericArguments } from './function-types.ts'
import { associatedType, compoundAssociatedType, genericParameter, readGenericParameter } from './generics.ts'
import { isNominal, isRequirement, type Kind, type Node, node, shown, type, unknown } from './node.ts'
import type { Reader } from './reader.ts'
import { BUILTIN, CONCURRENCY, STANDARD } from './tables.ts'

const MAX_BUILTIN = 4096
/** Kinds of declarations that have no generic arguments of their own. */
const WITHOUT_ARGUMENTS: ReadonlySet<Kind> = new Set(['Variable', 'Subscript', 'Closure', 'Initializing', 'Static'])

function standardType(kind: Kind, name: string): Node {
  return type(node(kind, [node('Module', [], 'Swift'), node('Identifier', [], name)]))
}

export function standardSubstitution(reader: Reader): Node {
  if (reader.take('o')) return node('Module', [], '__C')
  if (reader.take('C')) return node('Module', [], '__C_Synthesized')
  if (reader.take('g')) {
    const optional = standardType('Enum', 'Optional')
    return reader.substitutable(type(node('BoundGeneric', [optional, node('List', [reader.pop('Type')])])))
  }
  const repeats = reader.natural()
  const table = reader.take('c') ? CONCURRENCY : STANDARD
  const [kind, name] = table.get(reader.next()) ?? unknown()
  return reader.repeated(repeats, standardType(kind, name))
}

export function builtinType(reader: Reader): Node {
  const letter = reader.next()
  if (letter === 'T') return type(node('BuiltinTuple', [], 'Builtin.TheTupleType'))
  if (letter === 'V') {
    const element = reader.pop('Type')
    return type(shown('Builtin.FixedArray<', reader.pop('Type'), ', ', element, '>'))
  }
  let name = BUILTIN[letter]
  if (name === undefined) {
    const size = reader.index() - 1
    if (size <= 0 || size > MAX_BUILTIN) unknown()
    if (letter === 'f') name = `FPIEEE${size}`
    else if (letter === 'i') name = `Int${size}`
    else if (letter === 'v') {
      const [element] = reader.popTypeChild().children
      name = `Vec${size}x${/^Builtin\.(.+)/.exec(element?.text ?? '')?.[1] ?? unknown()}`
    } else unknown()
  }
  return type(shown(`Builtin.${name}`))
}

/**
 * Reads operators that start with `t`, which represent tuples. The child of an element is its type, and the text of an element is its
 * label.
 */
export function tuple(reader: Reader): Node {
  const elements = reader.popList(() => {
    const isVariadic = reader.popIf('Variadic') !== undefined
    const label = reader.popIf('Identifier')?.text ?? ''
    return node('TupleElement', [reader.pop('Type')], label, isVariadic ? 1 : 0)
  })
  return type(node('Tuple', elements))
}

export function boundGeneric(reader: Reader): Node {
  const hasConformances = reader.top()?.kind === 'Retroactive'
  const lists = popGenericArguments(reader)
  const of = reader.popTypeChild()
  if (!isNominal(of)) unknown()
  const bound = bind(of, lists, 0)
  // Types with a retroactive conformance have no short form.
  const shownLong = hasConformances && bound.kind === 'BoundGeneric' ? { ...bound, text: 'long' } : bound
  return reader.substitutable(type(shownLong))
}

/** Applies generic arguments to a type and its enclosing types, innermost first. */
function bind(of: Node, lists: readonly Node[], at: number): Node {
  const own = lists[at] ?? unknown()
  if (of.children.length === 0) unknown()
  const takes = !WITHOUT_ARGUMENTS.has(of.kind)
  const next = takes ? at + 1 : at
  let bound = of
  if (next < lists.length) {
    const [context = unknown(), ...others] = of.children
    const outer =
      context.kind === 'Extension'
        ? { ...context, children: [bind(context.children[0] ?? unknown(), lists, next), ...context.children.slice(1)] }
        : bind(context, lists, next)
    bound = { ...of, children: [outer, ...others] }
  }
  if (!takes || own.children.length === 0) return bound
  if (of.kind === 'Function' || of.kind === 'Constructor') return node('BoundFunction', [bound, own])
  return isNominal(of) ? node('BoundGeneric', [type(bound), own]) : unknown()
}

export function archetype(reader: Reader): Node {
  const letter = reader.next()
  if (letter === 'a') {
    const name = reader.pop('Identifier')
    return reader.substitutable(type(shown(reader.popTypeChild(), `.${name.text}`)))
  }
  if (letter === 'O') return node('OpaqueReturnTypeOf', [popContext(reader)])
  if (letter === 'o') {
    const index = reader.index()
    popGenericArguments(reader)
    return reader.substitutable(type(shown(reader.popAny(), `.${index}`)))
  }
  if (letter === 'r') return type(shown('some'))
  if (letter === 'R') {
    reader.index()
    return type(shown('some'))
  }
  if (letter === 'p') {
    reader.popTypeChild()
    return type(shown('repeat ', reader.popTypeChild()))
  }
  if (letter === 'e') {
    const pack = reader.popTypeChild()
    return type(shown(`/* level: ${reader.index()} */ each `, pack))
  }
  if (letter === 'P') return pack(reader, 'Pack{')
  if (letter === 'S')
    return pack(reader, reader.take('d') ? '@direct Pack{' : reader.take('i') ? '@indirect Pack{' : unknown())
  return reader.substitutable(memberType(reader, letter))
}

function memberType(reader: Reader, letter: string): Node {
  let base: Node | undefined
  if (/^[yY]$/.test(letter)) base = readGenericParameter(reader)
  else if (/^[zZ]$/.test(letter)) base = genericParameter(0, 0)
  else if (!/^[xX]$/.test(letter)) unknown()
  return letter > 'Z' ? associatedType(reader, base) : compoundAssociatedType(reader, base)
}

function pack(reader: Reader, start: string): Node {
  return type(shown(start, node('List', popTypes(reader), ', '), '}'))
}

export function popTypes(reader: Reader): Node[] {
  return reader.popList(() => reader.pop('Type'))
}

export function protocolList(reader: Reader): Node[] {
  return reader.popList(() => popProtocol(reader))
}

const FUNCTIONS: Readonly<Record<string, string>> = {
  E: '',
  A: '@autoclosure ',
  f: '@convention(thin) ',
  K: '@autoclosure ',
  U: '',
  L: '@escaping @convention(block) ',
  B: '@convention(block) ',
  C: '@convention(c) ',
}
const STORAGE: Readonly<Record<string, string>> = { o: 'unowned ', u: 'unowned(unsafe) ', w: 'weak ', b: '@box ' }
const METATYPES: Readonly<Record<string, string>> = { t: '@thin ', T: '@thick ', o: '@objc_metatype ' }

export function specialType(reader: Reader): Node {
  const letter = reader.next()
  const prefix = FUNCTIONS[letter]
  if (prefix !== undefined) return functionType(reader, prefix)
  if (letter === 'z') {
    const ofWhat = FUNCTIONS[/^[BC]$/.test(reader.peek()) ? reader.next() : unknown()] as string
    return functionType(reader, ofWhat.replace(')', `, mangledCType: "${reader.counted()}")`))
  }
  const storage = STORAGE[letter]
  if (storage !== undefined) return type(shown(storage, reader.pop('Type')))
  switch (letter) {
    case 'D':
      reader.pop('Type')
      return type(shown('Self'))
    case 'M': {
      const representation = METATYPES[reader.next()] ?? unknown()
      return type(node('Metatype', [reader.pop('Type')], representation))
    }
    case 'm': {
      const representation = METATYPES[reader.next()] ?? unknown()
      return type(node('ExistentialMetatype', [reader.pop('Type')], representation))
    }
    case 'p':
      return type(node('ExistentialMetatype', [reader.pop('Type')]))
    case 'c': {
      const superclass = reader.pop('Type')
      return type(node('ProtocolList', [superclass, ...protocolList(reader)], 'class'))
    }
    case 'l':
      return type(node('ProtocolList', [...protocolList(reader), shown('Swift.AnyObject')], 'object'))
    case 'P': {
      const requirements = reader.popMarked(() => reader.pop(isRequirement))
      return type(shown('any ', reader.pop('Type'), '<', node('List', requirements, ', '), '>'))
    }
    case 'X':
    case 'x':
      return box(reader, letter === 'X')
    case 'Y':
      return nominal(reader, 'OtherNominal')
    case 'Z': {
      popTypes(reader)
      reader.pop('Identifier')
      popContext(reader)
      return node('AnonymousContext')
    }
    case 'e':
      return type(shown('<ERROR TYPE>'))
    case 'S':
      return sugar(reader)
    default:
      return unknown()
  }
}

function box(reader: Reader, isGeneric: boolean): Node {
  const signature = isGeneric ? reader.pop('GenericSignature') : undefined
  const types = isGeneric ? popTypes(reader) : []
  const fields = popTypes(reader).map((field) => {
    const inner = field.children[0]
    const isMutable = inner?.kind === 'Shown' && inner.children[0]?.text === 'inout '
    return isMutable ? shown('var ', inner.children[1] as Node) : shown('let ', field)
  })
  const layout = fields.length === 0 ? shown('{ }') : shown('{ ', node('List', fields, ', '), ' }')
  if (!signature) return type(layout)
  return type(shown(signature, ' ', layout, ' <', node('List', types, ', '), '>'))
}

/** Reads a type as written in the source, such as `[Int]`. Only debug information contains such types. */
function sugar(reader: Reader): Node {
  const letter = reader.next()
  const last = reader.pop('Type')
  if (letter === 'q') return type(node('Suffixed', [last], '?'))
  if (letter === 'a') return type(shown('[', last, ']'))
  if (letter === 'p') return type(shown('(', last, ')'))
  if (letter === 'D') return type(shown('[', reader.pop('Type'), ' : ', last, ']'))
  if (letter === 'A') return type(shown('[', reader.pop('Type'), ' of ', last, ']'))
  return unknown()
}

export function typeAnnotation(reader: Reader): Node {
  const letter = reader.next()
  const before = (text: string) => type(shown(text, reader.popTypeChild()))
  switch (letter) {
    case 'a':
      return annotation('async')
    case 'A':
      return annotation('isolation', '@isolated(any) ')
    case 'b':
      return annotation('sendable', '@Sendable ')
    case 'c':
      return annotation('isolation', '@', [reader.popTypeChild()])
    case 'C':
      return annotation('isolation', 'nonisolated(nonsending) ')
    case 'K':
      reader.popTypeChild()
      return annotation('throws')
    case 'T':
      return annotation('sending')
    case 'i':
      return before('isolated ')
    case 'k':
      return before('@noDerivative ')
    case 't':
      return before('_const ')
    case 'g':
      return before('@const ')
    case 'u':
      return before('sending ')
    default:
      return unknown()
  }
}
