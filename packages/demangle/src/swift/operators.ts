import { conformance } from './conformances.ts'
import { extension, localName, nominal, operatorName, popConformance, popProtocol } from './contexts.ts'
import { functionEntity, plainFunction, subscript, variable } from './entities.ts'
import { annotation, functionType, implFunctionType, popLabels } from './function-types.ts'
import { genericParameter, genericRequirement, genericSignature, readGenericParameter } from './generics.ts'
import { isConformance, isEntity, type Node, node, shown, type, unknown } from './node.ts'
import type { Reader } from './reader.ts'
import { metadata, thunk, valueWitness, witness } from './thunks.ts'
import {
  archetype,
  boundGeneric,
  builtinType,
  protocolList,
  specialType,
  standardSubstitution,
  tuple,
  typeAnnotation,
} from './types.ts'

export function operator(reader: Reader): Node {
  const read = OPERATORS[reader.peek()]
  if (!read) return reader.identifier()
  reader.next()
  return read(reader)
}

const before =
  (text: string) =>
  (reader: Reader): Node =>
    type(shown(text, reader.popTypeChild()))

const OPERATORS: Readonly<Record<string, (reader: Reader) => Node>> = {
  A: (reader) => reader.substitution(),
  B: builtinType,
  C: (reader) => nominal(reader, 'Class'),
  D: typeMangling,
  E: extension,
  F: plainFunction,
  G: boundGeneric,
  H: (reader) => conformance(reader) ?? record(reader),
  I: implFunctionType,
  K: () => annotation('throws'),
  L: localName,
  M: metadata,
  N: (reader) => shown('type metadata for ', reader.pop('Type')),
  O: (reader) => nominal(reader, 'Enum'),
  P: (reader) => nominal(reader, 'Protocol'),
  Q: archetype,
  R: genericRequirement,
  S: standardSubstitution,
  T: thunk,
  V: (reader) => nominal(reader, 'Structure'),
  W: witness,
  X: specialType,
  Y: typeAnnotation,
  Z: (reader) => node('Static', [reader.pop(isEntity)]),
  a: (reader) => nominal(reader, 'TypeAlias'),
  c: (reader) => functionType(reader),
  d: () => node('Variadic'),
  f: functionEntity,
  g: retroactive,
  h: before('__shared '),
  i: subscript,
  l: (reader) => genericSignature(reader, false),
  m: (reader) => type(node('Metatype', [reader.pop('Type')])),
  n: before('__owned '),
  o: operatorName,
  p: (reader) => type(node('ProtocolList', protocolList(reader))),
  q: (reader) => type(readGenericParameter(reader)),
  r: (reader) => genericSignature(reader, true),
  s: () => node('Module', [], 'Swift'),
  t: tuple,
  u: genericType,
  v: variable,
  w: valueWitness,
  x: () => type(genericParameter(0, 0)),
  y: () => node('EmptyList'),
  z: before('inout '),
  _: () => node('FirstElement'),
  '.': suffix,
  $: integer,
}

function typeMangling(reader: Reader): Node {
  const of = reader.pop('Type')
  const labels = popLabels(reader, of)
  return labels ? node('Function', [node('Module'), node('Identifier'), labels, of]) : shown(of)
}

function retroactive(reader: Reader): Node {
  reader.index()
  reader.pop(isConformance)
  return node('Retroactive')
}

function genericType(reader: Reader): Node {
  const signature = reader.pop('GenericSignature')
  return type(node('GenericType', [signature, reader.pop('Type')]))
}

/** Reads a suffix that the compiler appends to a name, such as `.resume.0` or `.123`. */
function suffix(reader: Reader): Node {
  reader.at = reader.text.length
  return node('Suffix')
}

function integer(reader: Reader): Node {
  const isNegative = reader.take('n')
  return type(shown(`${isNegative ? '-' : ''}${reader.index()}`))
}

/** Reads an `H` operator that is not a conformance. These operators represent records for runtime lookups. */
function record(reader: Reader): Node {
  switch (reader.next()) {
    case 'c':
      return shown('protocol conformance descriptor runtime record for ', popConformance(reader))
    case 'n':
      return shown('nominal type descriptor runtime record for ', reader.pop('Type'))
    case 'o':
      return shown('opaque type descriptor runtime record for ', reader.popAny())
    case 'r':
      return shown('protocol descriptor runtime record for ', popProtocol(reader))
    case 'F':
      return node('Attribute')
    default:
      return unknown()
  }
}
