import { isContext, isName, isNominal, type Node, node, shown, type, unknown } from './node.ts'
import type { Reader } from './reader.ts'
import { OPERATOR_SIGNS } from './tables.ts'

export function popModule(reader: Reader): Node {
  const name = reader.popIf('Identifier')
  return name ? node('Module', [], name.text) : reader.pop('Module')
}

export function popContext(reader: Reader): Node {
  const top = reader.top()
  if (top?.kind === 'Identifier' || top?.kind === 'Module') return popModule(reader)
  if (top?.kind !== 'Type') return reader.pop(isContext)
  const child = reader.popTypeChild()
  return isContext(child) ? child : unknown()
}

export function popProtocol(reader: Reader): Node {
  const known = reader.popIf('Type')
  if (known) return known.children[0]?.kind === 'Protocol' ? known : unknown()
  const name = reader.pop(isName)
  return type(node('Protocol', [popContext(reader), name]))
}

/** Pops a conformance and returns a node whose only child is the type. The conformance's protocol and module are not printed. */
export function popConformance(reader: Reader): Node {
  const signature = reader.popIf('GenericSignature')
  popModule(reader)
  popProtocol(reader)
  const of = reader.pop('Type')
  return signature ? node('GenericType', [signature, of]) : of
}

export function nominal(
  reader: Reader,
  kind: 'Class' | 'Structure' | 'Enum' | 'Protocol' | 'TypeAlias' | 'OtherNominal',
) {
  const name = reader.pop(isName)
  return reader.substitutable(type(node(kind, [popContext(reader), name])))
}

/** Reads an extension. The node's children are the extended type and, if the type is constrained, the signature. */
export function extension(reader: Reader): Node {
  const signature = reader.popIf('GenericSignature')
  popModule(reader)
  const of = reader.popTypeChild()
  if (!isNominal(of)) unknown()
  return node('Extension', signature ? [of, signature] : [of])
}

export function localName(reader: Reader): Node {
  if (reader.take('L')) {
    reader.pop('Identifier')
    return node('PrivateName', [reader.pop(isName)])
  }
  if (reader.take('l')) {
    reader.pop('Identifier')
    return node('PrivateName')
  }
  if (/^[a-jA-J]$/.test(reader.peek())) {
    const letter = reader.next()
    return node('RelatedName', [shown(`related decl '${letter}' for `, reader.popAny())])
  }
  const index = reader.index()
  return node('LocalName', [reader.pop(isName)], '', index)
}

export function operatorName(reader: Reader): Node {
  const letters = reader.pop('Identifier').text
  const signs = [...letters].map((letter) => {
    if (letter > '\x7f') return letter
    const sign = letter >= 'a' && letter <= 'z' ? OPERATOR_SIGNS[letter.charCodeAt(0) - 97] : undefined
    return sign === undefined || sign === ' ' ? unknown() : sign
  })
  const fixity = { i: 'infix', p: 'prefix', P: 'postfix' }[reader.next()] ?? unknown()
  return node('Operator', [], `${signs.join('')} ${fixity}`)
}
