import { type Node, node, type, unknown } from './node.ts'
import type { Reader } from './reader.ts'
import { CALLEE_CONVENTIONS, PARAMETER_CONVENTIONS, RESULT_CONVENTIONS } from './tables.ts'

/** The annotations of a function type, in the order in which they are popped. Only printed annotations have text. */
const ANNOTATIONS = ['sending', 'isolation', 'throws', 'sendable', 'async'] as const
export type AnnotationPlace = (typeof ANNOTATIONS)[number]

export function annotation(place: AnnotationPlace, text = '', children: readonly Node[] = []): Node {
  return node('Annotation', children, text, ANNOTATIONS.indexOf(place))
}

/** Returns a node whose children are the parameters, the result and the printed annotations. */
export function functionType(reader: Reader, prefix = ''): Node {
  const found: Node[] = []
  for (let place = 0; place < ANNOTATIONS.length; place++) {
    const at = reader.popIf((it) => it.kind === 'Annotation' && it.index === place)
    if (at) found.push(at)
  }
  const parameters = unit(reader)
  const result = unit(reader)
  return type(node('FunctionType', [parameters, result, ...found], prefix))
}

function unit(reader: Reader): Node {
  if (reader.popIf('EmptyList')) return type(node('Tuple'))
  return reader.pop('Type')
}

/**
 * Pops the labels of a function's parameters. On the stack, the labels are below the function's type.
 * @returns undefined if the type has no labels.
 */
export function popLabels(reader: Reader, of: Node | undefined): Node | undefined {
  if (reader.popIf('EmptyList')) return node('Labels')
  let signature = of?.kind === 'Type' ? of.children[0] : undefined
  if (signature?.kind === 'GenericType') signature = signature.children[1]?.children[0]
  if (signature?.kind !== 'FunctionType' || signature.text !== '') return undefined
  const parameters = signature.children[0]?.children[0]
  const count = parameters?.kind === 'Tuple' ? parameters.children.length : 1
  const labels: Node[] = []
  for (let nth = 0; nth < count; nth++) {
    labels.push(reader.pop((it) => it.kind === 'Identifier' || it.kind === 'FirstElement'))
  }
  if (count === 0) return undefined
  return labels.some((it) => it.kind === 'Identifier') ? node('Labels', labels.reverse()) : node('Labels')
}

/**
 * Reads SIL function types, which start with `I`. The node's children are the parameters and results. The text of each child is the
 * convention of that parameter or result.
 */
export function implFunctionType(reader: Reader): Node {
  const attributes: Node[] = []
  const say = (text: string) => attributes.push(node('Identifier', [], text))
  const pattern = reader.take('s') ? substitutions(reader) : undefined
  const patternSignature = pattern && reader.pop('GenericSignature')
  const invocation = reader.take('I') ? substitutions(reader) : undefined
  const signature = reader.popIf('GenericSignature')
  if (signature) reader.take('P')
  if (reader.take('e')) say('@escaping')
  if (reader.take('A')) say('@isolated(any)')
  say(CALLEE_CONVENTIONS[reader.next()] ?? unknown())
  const representation = representationOf(reader)
  if (representation !== undefined) say(`@convention(${representation})`)
  if (reader.take('A')) say('@yield_once')
  else if (reader.take('I')) say('@yield_once_2')
  else if (reader.take('G')) say('@yield_many')
  if (reader.take('h')) say('@Sendable')
  if (reader.take('H')) say('@async')
  const isSending = reader.take('T')
  if (signature) attributes.push(signature)

  const parameters: string[] = []
  const results: string[] = []
  for (let text = taken(reader, PARAMETER_CONVENTIONS); text; text = taken(reader, PARAMETER_CONVENTIONS)) {
    parameters.push(
      text +
        (reader.take('T') ? ' sending' : '') +
        (reader.take('I') ? ' isolated' : '') +
        (reader.take('L') ? ' sil_implicit_leading_param' : ''),
    )
  }
  for (let text = taken(reader, RESULT_CONVENTIONS); text; text = taken(reader, RESULT_CONVENTIONS)) {
    results.push(text)
  }
  while (reader.take('Y')) results.push(`@yields ${taken(reader, PARAMETER_CONVENTIONS) ?? unknown()}`)
  if (reader.take('z')) results.push(`@error ${taken(reader, RESULT_CONVENTIONS) ?? unknown()}`)
  if (!reader.take('_')) unknown()
  const types = [...parameters, ...results].map(() => reader.pop('Type')).reverse()
  const values = (texts: readonly string[], from: number) =>
    texts.map((text, nth) => node('ImplValue', [types[from + nth] as Node], text))
  return type(
    node(
      'ImplFunctionType',
      [
        node('List', attributes),
        node('List', values(parameters, 0)),
        node('List', values(results, parameters.length)),
        node('List', patternSignature ? [patternSignature, pattern as Node] : []),
        node('List', invocation ? [invocation] : []),
      ],
      isSending ? 'sending ' : '',
    ),
  )
}

function taken(reader: Reader, table: Readonly<Record<string, string>>): string | undefined {
  const found = table[reader.peek()]
  if (found !== undefined) reader.next()
  return found
}

function representationOf(reader: Reader): string | undefined {
  if (reader.take('zB')) return `block, mangledCType: "${reader.counted()}"`
  if (reader.take('zC')) return `c, mangledCType: "${reader.counted()}"`
  if (reader.take('B')) return 'block'
  if (reader.take('C')) return 'c'
  if (reader.take('M')) return 'method'
  if (reader.take('O') || reader.take('J')) return 'objc_method'
  if (reader.take('K')) return 'closure'
  if (reader.take('W')) return 'witness_method'
  return undefined
}

function substitutions(reader: Reader): Node {
  const lists = popGenericArguments(reader)
  return lists.length === 1 ? (lists[0] as Node) : unknown()
}

/** Returns one list per nesting level, innermost first. */
export function popGenericArguments(reader: Reader): Node[] {
  reader.popAll('Retroactive')
  const lists: Node[] = []
  for (;;) {
    lists.push(node('List', reader.popAll('Type')))
    if (reader.popIf('EmptyList')) return lists
    reader.pop('FirstElement')
  }
}
