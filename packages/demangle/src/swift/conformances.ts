import { popModule, popProtocol } from './contexts.ts'
import { isConformance, type Node, node, unknown } from './node.ts'
import type { Reader } from './reader.ts'

/** Reads operators that start with `H`, which represent conformances of type arguments. Conformances are not printed. */
export function conformance(reader: Reader): Node | undefined {
  const conformances = () => reader.popList(() => reader.pop(isConformance))
  const nonZeroIndex = () => (reader.index() > 0 ? undefined : unknown())
  switch (reader.peek()) {
    case 'A':
      reader.next()
      nonZeroIndex()
      popProtocol(reader)
      reader.pop('Type')
      reader.pop('DependentConformance')
      return node('DependentConformance')
    case 'C':
      reader.next()
      conformances()
      if (!reader.popIf('ConformanceRef')) {
        popModule(reader)
        popProtocol(reader)
      }
      reader.pop('Type')
      return node('Conformance')
    case 'D':
      reader.next()
      nonZeroIndex()
      popProtocol(reader)
      reader.pop('Type')
      return node('DependentConformance')
    case 'I':
      reader.next()
      nonZeroIndex()
      popProtocol(reader)
      reader.pop('DependentConformance')
      return node('DependentConformance')
    case 'O':
      reader.next()
      reader.pop('Type')
      reader.pop('DependentConformance')
      return node('Conformance')
    case 'P':
    case 'p':
      reader.next()
      popProtocol(reader)
      return node('ConformanceRef')
    case 'X':
      reader.next()
      conformances()
      return node('Conformance')
    default:
      return undefined
  }
}
