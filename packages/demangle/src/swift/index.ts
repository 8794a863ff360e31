import { type Node, node, UnknownForm, unknown } from './node.ts'
import { operator } from './operators.ts'
import { Printer } from './print.ts'
import { Reader } from './reader.ts'

const PREFIX = /^_?\$[sSe]/

/**
 * Prints a Swift name in the format of `swift demangle --simplified`, for example `Cart.total(of:with:)` or `closure #1 in
 * Cart.price.getter`.
 * @returns undefined if the name is not a Swift name or has an unknown form. The form from before Swift 4.2 (`_T…`) is not supported.
 */
export function demangleSwift(mangled: string): string | undefined {
  const [prefix] = PREFIX.exec(mangled) ?? []
  if (prefix === undefined) return undefined
  try {
    const reader = new Reader(mangled, prefix.length)
    while (!reader.isAtEnd) reader.push(operator(reader))
    const printed = new Printer().print(rootsOf(reader.rest()))
    return printed === '' ? undefined : printed
  } catch (error) {
    if (!(error instanceof UnknownForm || error instanceof RangeError)) throw error
    return undefined
  }
}

/** Returns the attributes, outermost first, followed by the remaining nodes. */
function rootsOf(pieces: Node[]): Node[] {
  if (pieces.at(-1)?.kind === 'Suffix') pieces.pop()
  const attributes: Node[] = []
  for (let last = pieces.at(-1); last && isAttribute(last); last = pieces.at(-1)) {
    pieces.pop()
    attributes.push(last)
  }
  // If more than one piece remains, the name is damaged. Forwarders may have no target and therefore no piece.
  if (pieces.length > 1 || (pieces.length === 0 && attributes.length === 0)) unknown()
  let inner = pieces
  for (const attribute of attributes.reverse()) {
    inner = attribute.kind === 'PartialApply' ? [node('PartialApply', inner)] : [attribute, ...inner]
  }
  return inner
}

function isAttribute({ kind }: Node): boolean {
  return kind === 'Attribute' || kind === 'PartialApply' || kind === 'Specialization'
}
