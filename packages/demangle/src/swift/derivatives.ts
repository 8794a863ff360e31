import { type Node, node, shown, unknown } from './node.ts'
import type { Reader } from './reader.ts'

const KINDS: Readonly<Record<string, string>> = {
  f: 'forward-mode derivative',
  r: 'reverse-mode derivative',
  d: 'differential',
  p: 'pullback',
}
const WITNESSES: Readonly<Record<string, string>> = { f: 'forward-mode', r: 'reverse-mode', d: 'normal', l: 'linear' }

export function derivative(reader: Reader): Node {
  switch (reader.peek()) {
    case 'S':
      reader.next()
      return ofSubset(reader)
    case 'O':
      reader.next()
      return reordering(reader)
    default:
      return derivativeOf(reader, reader.take('V') ? 'vtable thunk for ' : '')
  }
}

export function derivativeWitness(reader: Reader): Node {
  const signature = reader.popIf('GenericSignature')
  const of = reader.rest()
  const kind = WITNESSES[reader.next()] ?? unknown()
  const parameters = positions(reader, 'p')
  const results = positions(reader, 'r')
  return shown(
    `${kind} differentiability witness for `,
    ...of,
    ` with respect to parameters ${parameters} and results ${results}`,
    ...(signature ? [' with ', signature] : []),
  )
}

function derivativeOf(reader: Reader, prefix: string): Node {
  reader.popIf('GenericSignature')
  const of = reader.rest()
  const kind = KINDS[reader.next()] ?? unknown()
  positions(reader, 'p')
  positions(reader, 'r')
  return node('Derivative', [shown(`${prefix}${kind} of `, ...of)])
}

function ofSubset(reader: Reader): Node {
  const from = reader.rest()
  const kind = KINDS[reader.next()] ?? unknown()
  positions(reader, 'p')
  positions(reader, 'r')
  positions(reader, 'P')
  // If the second-to-last piece is a function, the last piece is its type.
  const named = from.length > 1 ? from.slice(0, -1) : from
  return shown(`autodiff subset parameters thunk for ${kind} from `, ...named)
}

function reordering(reader: Reader): Node {
  reader.popIf('GenericSignature')
  reader.pop('Type')
  const from = reader.pop('Type')
  if (!KINDS[reader.next()]) unknown()
  return shown('autodiff self-reordering reabstraction thunk for ', from)
}

/** Reads the positions in a mask: `SUS` selects the first and the third. */
function positions(reader: Reader, end: string): string {
  const found: number[] = []
  const start = reader.at
  while (reader.peek() === 'S' || reader.peek() === 'U') {
    if (reader.next() === 'S') found.push(reader.at - start - 1)
  }
  if (reader.at === start || !reader.take(end)) unknown()
  return `{${found.join(', ')}}`
}
