import { popContext } from './contexts.ts'
import { functionType, popLabels } from './function-types.ts'
import { isName, type Node, node, shown, unknown } from './node.ts'
import type { Reader } from './reader.ts'
import { ACCESSORS, ATTACHED_MACROS } from './tables.ts'

/** The children of a declaration are its context, name, labels and type. An empty `Identifier` represents a missing child. */

const NOTHING = node('Identifier')

function entity(kind: Node['kind'], parts: { context: Node; name?: Node; labels?: Node; type?: Node }): Node {
  return node(kind, [parts.context, parts.name ?? NOTHING, parts.labels ?? NOTHING, parts.type ?? NOTHING])
}

export function plainFunction(reader: Reader): Node {
  const signature = reader.popIf('GenericSignature')
  const type = functionType(reader)
  const labels = popLabels(reader, type)
  const name = reader.pop(isName)
  const context = popContext(reader)
  const whole = signature ? node('Type', [node('GenericType', [signature, type])]) : type
  return entity('Function', { context, name, ...(labels && { labels }), type: whole })
}

/** Reads a `v` operator, which is a variable or one of its accessors. */
export function variable(reader: Reader): Node {
  return accessor(reader, named(reader, 'Variable'))
}

function named(reader: Reader, kind: 'Variable' | 'Function'): Node {
  const type = reader.pop('Type')
  const labels = popLabels(reader, type)
  const name = reader.pop(isName)
  return entity(kind, { context: popContext(reader), name, ...(labels && { labels }), type })
}

export function subscript(reader: Reader): Node {
  reader.popIf((it) => it.kind === 'PrivateName')
  const type = reader.pop('Type')
  const labels = popLabels(reader, type)
  return accessor(reader, entity('Subscript', { context: popContext(reader), ...(labels && { labels }), type }))
}

function accessor(reader: Reader, of: Node): Node {
  let letter = reader.next()
  if (letter === 'p') return of
  if (letter === 'a' || letter === 'l') letter += reader.next()
  return node('Accessor', [of], ACCESSORS[letter] ?? unknown())
}

/** Kinds of initialization, keyed by the letter after `f`. */
const INITIALIZING: Readonly<Record<string, string>> = {
  i: 'variable initialization expression',
  P: 'property wrapper backing initializer',
  F: 'property wrapped field init accessor',
  W: 'property wrapper init from projected value',
}
const DESTRUCTORS: Readonly<Record<string, readonly [ofClasses: string, ofOthers: string]>> = {
  d: ['deinit', 'deinit'],
  D: ['__deallocating_deinit', 'deinit'],
  Z: ['__isolated_deallocating_deinit', 'deinit'],
  E: ['__ivar_destroyer', '__ivar_destroyer'],
  e: ['__ivar_initializer', '__ivar_initializer'],
}

export function functionEntity(reader: Reader): Node {
  const letter = reader.next()
  const initializing = INITIALIZING[letter]
  if (initializing !== undefined) return node('Initializing', [popContext(reader)], initializing)
  const destructor = DESTRUCTORS[letter]
  if (destructor) {
    const context = popContext(reader)
    return node('Destructor', [context], destructor[context.kind === 'Class' ? 0 : 1])
  }
  switch (letter) {
    case 'C':
    case 'c': {
      reader.popIf('PrivateName')
      const type = reader.pop('Type')
      const labels = popLabels(reader, type)
      const context = popContext(reader)
      const made = entity('Constructor', { context, ...(labels && { labels }), type })
      return { ...made, text: letter === 'C' && context.kind === 'Class' ? '__allocating_init' : 'init' }
    }
    case 'U':
    case 'u': {
      const index = reader.index()
      reader.pop('Type')
      return node('Closure', [popContext(reader)], letter === 'U' ? 'closure #' : 'implicit closure #', index + 1)
    }
    case 'A': {
      const index = reader.index()
      return node('Initializing', [popContext(reader)], `default argument ${index}`)
    }
    case 'm':
      return named(reader, 'Function')
    case 'M':
      return macro(reader)
    case 'p':
      return named(reader, 'Variable')
    default:
      return unknown()
  }
}

/** Reads a macro expansion. The node's children are the context and the name, and its text is the type of expansion. */
function macro(reader: Reader): Node {
  const letter = reader.next()
  if (letter === 'X') return macroLocation(reader)
  const role = ATTACHED_MACROS[letter]
  if (role === undefined && letter !== 'f' && letter !== 'u') unknown()
  const name = reader.pop('Identifier')
  if (letter === 'f') reader.popIf('PrivateName')
  const attached = role === undefined ? undefined : reader.popIf(isName)
  const context = reader.popIf('Macro') ?? popContext(reader)
  const number = reader.index() + 1
  if (role !== undefined && attached) {
    return node('Macro', [context, attached], `${role} macro @${name.text} expansion #${number}`)
  }
  return node('Macro', [context, name], `${letter === 'u' ? 'unique name' : 'freestanding macro expansion'} #${number}`)
}

/** Reads the source position that identifies a macro outside all declarations. */
function macroLocation(reader: Reader): Node {
  const [line, column] = [reader.index(), reader.index()]
  const file = reader.pop('Identifier')
  const module = reader.pop('Identifier')
  return { ...shown('module ', module, ' file ', file, ` line ${line} column ${column}`), kind: 'Location' }
}
