import type { Kind, Node } from './node.ts'

type Sugar = 'Optional' | 'ImplicitlyUnwrappedOptional' | 'Array' | 'Dictionary'

const SUGAR: Readonly<Record<Sugar, readonly [Kind, parameters: number]>> = {
  Optional: ['Enum', 1],
  ImplicitlyUnwrappedOptional: ['Enum', 1],
  Array: ['Structure', 1],
  Dictionary: ['Structure', 2],
}

/** Returns the short form of a type. Only types from the standard library have short forms. */
export function sugarOf(of: Node, types: readonly Node[]): Sugar | undefined {
  const [named] = of.children
  const [context, name] = named?.children ?? []
  if (context?.kind !== 'Module' || context.text !== 'Swift' || name?.kind !== 'Identifier') return undefined
  const sugar = name.text as Sugar
  const [kind, count] = Object.hasOwn(SUGAR, sugar) ? SUGAR[sugar] : []
  return named?.kind === kind && types.length === count ? sugar : undefined
}

const COMPOUND: ReadonlySet<Kind> = new Set(['FunctionType', 'ImplFunctionType', 'Requirement'])

/** Returns whether a `?` after a type applies to the whole type. */
export function isSimple(it: Node): boolean {
  const [first, second] = it.children
  if (it.kind === 'Type') return first !== undefined && isSimple(first)
  if (it.kind === 'ProtocolList') return it.text !== 'class' && second === undefined
  // A literal that ends with a space is a modifier that precedes a type.
  if (it.kind === 'Shown') return it.children.length === 1 || !first?.text.endsWith(' ')
  return !COMPOUND.has(it.kind)
}
