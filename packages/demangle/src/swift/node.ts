export class UnknownForm extends Error {}

const NAMES = ['Identifier', 'LocalName', 'PrivateName', 'RelatedName', 'Operator'] as const
const NOMINALS = ['Class', 'Structure', 'Enum', 'Protocol', 'TypeAlias', 'OtherNominal'] as const
/** The kinds of nodes that can contain a declaration. `Initializing` represents all kinds whose context is printed after "of". */
const CONTEXTS = [
  ...NOMINALS,
  'Module',
  'Extension',
  'Function',
  'Variable',
  'Subscript',
  'Accessor',
  'Static',
  'Constructor',
  'Destructor',
  'Closure',
  'Initializing',
  'AnonymousContext',
  'OpaqueReturnTypeOf',
  'BuiltinTuple',
  'Location',
] as const
const REQUIREMENTS = ['Requirement', 'PackMarker', 'ValueMarker'] as const
const CONFORMANCES = ['Conformance', 'DependentConformance'] as const

export type Kind =
  | (typeof NAMES)[number]
  | (typeof CONTEXTS)[number]
  | (typeof REQUIREMENTS)[number]
  | (typeof CONFORMANCES)[number]
  | 'Type'
  | 'EmptyList'
  | 'FirstElement'
  | 'Variadic'
  | 'Annotation'
  | 'FunctionType'
  | 'ImplFunctionType'
  | 'ImplValue'
  | 'Tuple'
  | 'TupleElement'
  | 'Labels'
  | 'List'
  | 'BoundGeneric'
  | 'BoundFunction'
  | 'GenericSignature'
  | 'GenericType'
  | 'GenericParameter'
  | 'Member'
  | 'AssociatedName'
  | 'ProtocolList'
  | 'ConformanceRef'
  | 'Retroactive'
  | 'Metatype'
  | 'ExistentialMetatype'
  | 'Suffixed'
  | 'Shown'
  | 'Attribute'
  | 'PartialApply'
  | 'Specialization'
  | 'Macro'
  | 'Suffix'

/** A part of a name. Nodes are immutable, because substitutions share them. */
export interface Node {
  readonly kind: Kind
  readonly children: readonly Node[]
  readonly text: string
  readonly index: number
}

export function node(kind: Kind, children: readonly Node[] = [], text = '', index = 0): Node {
  return { kind, children, text, index }
}

export function type(child: Node): Node {
  return node('Type', [child])
}

export function shown(...pieces: readonly (string | Node)[]): Node {
  return node(
    'Shown',
    pieces.map((piece) => (typeof piece === 'string' ? node('Identifier', [], piece) : piece)),
  )
}

export type Test = (node: Node) => boolean

function oneOf(kinds: readonly Kind[]): Test {
  const set = new Set(kinds)
  return (it) => set.has(it.kind)
}

export const isName = oneOf(NAMES)
export const isNominal = oneOf([...NOMINALS, 'BuiltinTuple'])
export const isContext = oneOf(CONTEXTS)
export const isEntity = oneOf([...CONTEXTS, 'Type'])
export const isRequirement = oneOf(REQUIREMENTS)
export const isConformance = oneOf(CONFORMANCES)

/** The error is created once and reused, because capturing its stack trace takes longer than parsing a name. */
const UNKNOWN = new UnknownForm('The name has an unknown form.')

export function unknown(): never {
  throw UNKNOWN
}
