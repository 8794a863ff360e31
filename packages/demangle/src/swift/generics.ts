import { popProtocol } from './contexts.ts'
import { isRequirement, type Node, node, type, unknown } from './node.ts'
import type { Reader } from './reader.ts'

/** Number of sizes that follow each layout constraint. */
const LAYOUTS: Readonly<Record<string, number>> = {
  U: 0,
  R: 0,
  N: 0,
  C: 0,
  D: 0,
  T: 0,
  B: 0,
  E: 2,
  e: 1,
  M: 2,
  m: 1,
  S: 1,
}
/** Subjects of requirements, keyed by the letter after `R`. */
const SUBJECTS: Readonly<Record<string, 'parameter' | 'associated' | 'compound' | 'substitution'>> = {
  V: 'parameter',
  v: 'parameter',
  b: 'parameter',
  s: 'parameter',
  l: 'parameter',
  h: 'parameter',
  i: 'parameter',
  c: 'associated',
  t: 'associated',
  m: 'associated',
  p: 'associated',
  j: 'associated',
  C: 'compound',
  T: 'compound',
  M: 'compound',
  P: 'compound',
  J: 'compound',
  B: 'substitution',
  S: 'substitution',
  L: 'substitution',
  Q: 'substitution',
  I: 'substitution',
}

export function genericParameter(depth: number, index: number): Node {
  // The names are `A` to `Z`, followed by `AB`, `BB` and so on. The first letter changes fastest.
  let name = ''
  let left = index
  do {
    name += String.fromCharCode(65 + (left % 26))
    left = Math.floor(left / 26)
  } while (left > 0)
  return node('GenericParameter', [], depth === 0 ? name : name + depth)
}

export function readGenericParameter(reader: Reader): Node {
  if (reader.take('d')) {
    const depth = reader.index() + 1
    return genericParameter(depth, reader.index())
  }
  if (reader.take('z')) return genericParameter(0, 0)
  if (reader.take('s')) return node('Identifier', [], 'Self')
  return genericParameter(0, reader.index() + 1)
}

/** The mangled name of an associated type may contain its protocol. */
export function popAssociatedName(reader: Reader): Node {
  const protocol = reader.popIf('Type')
  if (protocol && protocol.children[0]?.kind !== 'Protocol') unknown()
  const name = reader.pop('Identifier')
  return node('AssociatedName', protocol ? [protocol, name] : [name])
}

export function associatedType(reader: Reader, base: Node | undefined): Node {
  const name = popAssociatedName(reader)
  return type(node('Member', [base ? type(base) : reader.pop('Type'), name]))
}

export function compoundAssociatedType(reader: Reader, base: Node | undefined): Node {
  const names = reader.popMarked(() => popAssociatedName(reader))
  let from = base ? type(base) : reader.pop('Type')
  for (const name of names) from = type(node('Member', [from, name]))
  return from
}

/** Reads the generic parameters at each depth. Requirements are not printed. */
export function genericSignature(reader: Reader, hasCounts: boolean): Node {
  const counts: number[] = []
  if (hasCounts) {
    while (!reader.take('l')) counts.push(reader.take('z') ? 0 : reader.index() + 1)
  } else counts.push(1)
  const markers = reader.popAll(isRequirement).filter(({ kind }) => kind !== 'Requirement')
  const levels = counts.map((count, depth) => {
    const shown = Math.min(count, 128)
    const names = Array.from({ length: shown }, (_, index) => genericParameter(depth, index).text)
    if (count > shown) names.push('...')
    return names.map((name) => {
      const marker = markers.find(({ text }) => text === name)
      if (marker?.kind === 'PackMarker') return `each ${name}`
      return marker?.kind === 'ValueMarker' ? `let ${name}` : name
    })
  })
  return node('GenericSignature', [], levels.map((names) => names.join(', ')).join('><'))
}

/**
 * Reads operators that start with `R`. The node's children are the subject and the requirement. If no type can represent the requirement,
 * the node has no children.
 */
export function genericRequirement(reader: Reader): Node {
  if (/^[zd_0-9]$/.test(reader.peek())) {
    const parameter = type(readGenericParameter(reader))
    return node('Requirement', [parameter, popProtocol(reader)], ': ')
  }
  const letter = reader.next()
  const isInverse = /^[iIjJ]$/.test(letter)
  if (isInverse) reader.index()
  const subject = subjectOf(reader, letter)
  const name = subject.children[0]?.text ?? ''
  if (letter === 'v') return node('PackMarker', [], name)
  if (letter === 'V') {
    reader.pop('Type')
    return node('ValueMarker', [], name)
  }
  if (/^[pPQ]$/.test(letter)) return node('Requirement', [subject, popProtocol(reader)], ': ')
  if (/^[mMlL]$/.test(letter)) {
    const sizes = LAYOUTS[reader.next()] ?? unknown()
    for (let nth = 0; nth < sizes; nth++) reader.index()
    return node('Requirement')
  }
  if (isInverse) return node('Requirement')
  return node('Requirement', [subject, reader.pop('Type')], /^[tTsS]$/.test(letter) ? ' == ' : ': ')
}

function subjectOf(reader: Reader, letter: string): Node {
  const of = SUBJECTS[letter] ?? unknown()
  if (of === 'substitution') return reader.pop('Type')
  const parameter = readGenericParameter(reader)
  if (of === 'parameter') return type(parameter)
  return reader.substitutable(
    of === 'associated' ? associatedType(reader, parameter) : compoundAssociatedType(reader, parameter),
  )
}
