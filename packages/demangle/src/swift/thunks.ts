import { popConformance, popContext, popModule, popProtocol } from './contexts.ts'
import { popAssociatedName } from './generics.ts'
import { isEntity, isName, isNominal, type Node, node, shown, unknown } from './node.ts'
import type { Reader } from './reader.ts'
import { functionSpecialization, specialization } from './specializations.ts'
import { ATTRIBUTES, METADATA_OF_ANY, METADATA_OF_TYPE, OUTLINED, VALUE_WITNESSES, WITNESS_TABLES } from './tables.ts'

export function metadata(reader: Reader): Node {
  const letter = reader.next()
  const ofType = METADATA_OF_TYPE[letter]
  if (ofType !== undefined) {
    const of = reader.pop('Type')
    if (letter === 'C' && !isNominal(of.children[0] ?? unknown())) unknown()
    return shown(ofType, of)
  }
  const ofAny = METADATA_OF_ANY[letter]
  if (ofAny !== undefined) return shown(ofAny, reader.popAny())
  switch (letter) {
    case 'A':
      return shown('reflection metadata associated type descriptor ', popConformance(reader))
    case 'c':
      return shown('protocol conformance descriptor for ', popConformance(reader))
    case 'p':
      return shown('protocol descriptor for ', popProtocol(reader))
    case 'S':
      return shown('protocol self-conformance descriptor for ', popProtocol(reader))
    case 'V':
      return shown('property descriptor for ', reader.pop(isEntity))
    case 'X':
      return contextDescriptor(reader)
    default:
      return unknown()
  }
}

function contextDescriptor(reader: Reader): Node {
  switch (reader.next()) {
    case 'E':
      return shown('extension descriptor ', popContext(reader))
    case 'M':
      return shown('module descriptor ', popModule(reader))
    case 'X':
      return shown('anonymous descriptor ', popContext(reader))
    case 'Y':
      reader.popAny()
      return shown('anonymous descriptor ', popContext(reader))
    default:
      return unknown()
  }
}

export function valueWitness(reader: Reader): Node {
  const name = VALUE_WITNESSES[reader.next() + reader.next()] ?? unknown()
  return shown(`${name} for `, reader.pop('Type'))
}

function associatedPath(reader: Reader): Node {
  return node(
    'List',
    reader.popMarked(() => popAssociatedName(reader)),
    '.',
  )
}

export function witness(reader: Reader): Node {
  const letter = reader.next()
  const table = WITNESS_TABLES[letter]
  if (table !== undefined) return shown(table, popConformance(reader))
  switch (letter) {
    case 'C':
      return shown('enum case for ', reader.pop(isEntity))
    case 'V':
      return shown('value witness table for ', reader.pop('Type'))
    case 'v': {
      const directness = { d: 'direct', i: 'indirect' }[reader.next()] ?? unknown()
      return shown(`${directness} field offset for `, reader.pop(isEntity))
    }
    case 'S':
      return shown('protocol self-conformance witness table for ', popProtocol(reader))
    case 'l':
    case 'L': {
      const what = letter === 'l' ? 'accessor' : 'cache variable'
      const conformance = popConformance(reader)
      return shown(
        `lazy protocol witness table ${what} for type `,
        reader.pop('Type'),
        ' and conformance ',
        conformance,
      )
    }
    case 't': {
      const name = reader.pop(isName)
      return shown('associated type metadata accessor for ', name, ' in ', popConformance(reader))
    }
    case 'T': {
      const protocol = reader.pop('Type')
      const path = associatedPath(reader)
      return shown('associated type witness table accessor for ', path, ' : ', protocol, ' in ', popConformance(reader))
    }
    case 'b': {
      const protocol = reader.pop('Type')
      return shown('base witness table accessor for ', protocol, ' in ', popConformance(reader))
    }
    case 'O':
      return outlined(reader)
    case 'Z':
    case 'z':
      return once(reader, letter === 'Z' ? 'function' : 'token')
    default:
      return unknown()
  }
}

function outlined(reader: Reader): Node {
  const letter = reader.next()
  const what = OUTLINED[letter] ?? unknown()
  if (letter === 'i' || letter === 'j') reader.index()
  const signature = reader.popIf('GenericSignature')
  const of = reader.pop('Type')
  const shows = signature !== undefined && (letter === 'y' || letter === 'e')
  return shown(`outlined ${what} of `, of, ...(shows ? [signature] : []))
}

function once(reader: Reader, what: string): Node {
  const names: Node[] = []
  while (reader.popIf('FirstElement')) names.push(reader.pop(isName))
  names.reverse()
  popContext(reader)
  const list = node('List', names, ', ')
  return shown(`one-time initialization ${what} for `, ...(names.length === 1 ? [list] : ['(', list, ')']))
}

export function thunk(reader: Reader): Node {
  let letter = reader.next()
  if (letter === 'w') letter += reader.next()
  const attribute = ATTRIBUTES[letter]
  if (attribute !== undefined) return node('Attribute', [], attribute)
  switch (letter) {
    case 'A':
    case 'a':
      return node('PartialApply')
    case 'T':
      return reader.take('I') ? shown('identity thunk of ', reader.pop(isEntity)) : unknown()
    case 'c':
      return shown('curry thunk of ', reader.pop(isEntity))
    case 'j':
      return shown('dispatch thunk of ', reader.pop(isEntity))
    case 'q':
      return shown('method descriptor for ', reader.pop(isEntity))
    case 'Q':
    case 'Y':
      reader.index()
      return node('Attribute')
    case 'C':
      return shown('coroutine continuation prototype for ', reader.pop('Type'))
    case 'V': {
      const base = reader.pop(isEntity)
      return shown('vtable thunk for ', base, ' dispatching to ', reader.pop(isEntity))
    }
    case 'W': {
      const of = reader.pop(isEntity)
      return shown('protocol witness for ', of, ' in conformance ', popConformance(reader))
    }
    case 'S':
      return shown('protocol self-conformance witness for ', reader.pop(isEntity))
    case 'R':
    case 'r':
      reader.popIf('GenericSignature')
      reader.pop('Type')
      return shown('thunk for ', reader.pop('Type'))
    case 'y':
      return reabstractionWithSelf(reader)
    case 'U': {
      const actor = reader.pop('Type')
      return shown(reader.popAny(), ' with global actor constraint ', actor)
    }
    case 'z':
    case 'Z':
      return completionHandler(reader, letter === 'Z' ? 'checked ' : '')
    case 'K':
    case 'k':
      return keyPath(reader, letter)
    case 'H':
    case 'h':
      return keyPathOperator(reader, letter === 'H' ? 'equality' : 'hash')
    case 'v': {
      const index = reader.index()
      const what = reader.take('r') ? 'read-only object' : 'variable'
      return node('Attribute', [], `outlined ${what} #${index} of `)
    }
    case 'e':
      return bridgedMethod(reader)
    case 'f':
      return functionSpecialization(reader)
    case 'l':
      return shown('associated type descriptor for ', popAssociatedName(reader))
    case 'L':
      return shown('protocol requirements base descriptor for ', popProtocol(reader))
    case 'M':
      return shown('default associated type metadata accessor for ', popAssociatedName(reader))
    case 'n':
    case 'N': {
      const what = letter === 'n' ? 'associated conformance descriptor' : 'default associated conformance accessor'
      const requirement = popProtocol(reader)
      const path = associatedPath(reader)
      return shown(`${what} for `, reader.pop('Type'), '.', path, ': ', requirement)
    }
    case 'b': {
      const requirement = popProtocol(reader)
      return shown('base conformance descriptor for ', reader.pop('Type'), ': ', requirement)
    }
    default:
      return specialization(reader, letter)
  }
}

function reabstractionWithSelf(reader: Reader): Node {
  const signature = reader.popIf('GenericSignature')
  const self = reader.pop('Type')
  const to = reader.pop('Type')
  const from = reader.pop('Type')
  return shown(
    'reabstraction thunk ',
    ...(signature ? [signature, ' '] : []),
    'from ',
    from,
    ' to ',
    to,
    ' self ',
    self,
  )
}

function completionHandler(reader: Reader, prefix: string): Node {
  const flag = reader.index()
  const signature = reader.popIf('GenericSignature')
  const result = reader.pop('Type')
  const of = reader.pop('Type')
  const error = ['', ' nonzero on error', ' zero on error'][flag] ?? unknown()
  const start = `${prefix}@objc completion handler block implementation for `
  return shown(start, ...(signature ? [signature] : []), of, ' with result type ', result, error)
}

function keyPath(reader: Reader, letter: string): Node {
  let what = letter === 'K' ? 'getter for' : 'setter for'
  if (reader.take('mu')) what = 'unapplied method'
  else if (reader.take('MA')) what = 'applied method'
  const isSerialized = reader.take('q')
  const types = reader.popAll('Type')
  if (types.length === 0) unknown()
  const signature = reader.popIf('GenericSignature')
  const of = reader.popAny()
  const rest = [...(signature ? [signature] : []), ...types]
  return shown(`key path ${what} `, of, ' : ', node('List', rest), isSerialized ? ', serialized' : '')
}

function keyPathOperator(reader: Reader, what: string): Node {
  reader.take('q')
  const signature = reader.popIf('GenericSignature')
  const types = reader.popAll('Type')
  return shown(
    `key path index ${what} operator for `,
    ...(signature ? [signature] : []),
    '(',
    node('List', types, ', '),
    ')',
  )
}

function bridgedMethod(reader: Reader): Node {
  const start = reader.at
  if (!/^[opam]$/.test(reader.next())) unknown()
  while (!reader.take('_')) if (!/^[nbg]$/.test(reader.next())) unknown()
  return node('Attribute', [], `outlined bridged method (${reader.text.slice(start, reader.at - 1)}) of `)
}
