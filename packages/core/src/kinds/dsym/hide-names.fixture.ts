import { binaryOf } from '../../formats/binary.ts'
import { describeMachO } from '../../formats/mach-o/mach-o.ts'

/**
 * Changes the Mach-O file in a dSYM (one architecture) as Xcode does in bitcode builds: names that are long enough
 * become `__hidden#12_`, and the original names go to a BCSymbolMap.
 */
export function hideNames(image: Buffer): { image: Buffer; map: string } {
  const hidden = Buffer.from(image)
  const [slice] = describeMachO(binaryOf(image))
  if (!slice?.symbolTable) throw new Error('It has no symbol table.')
  const { stringsOffset, stringsSize } = slice.symbolTable
  const strings = slice.sections.find(({ name }) => name === '__debug_str')
  const names: string[] = []
  for (const [start, size] of [
    [stringsOffset, stringsSize],
    [strings?.offset ?? 0, strings?.size ?? 0],
  ] as const) {
    for (let at = start; at < start + size; ) {
      const end = hidden.indexOf(0, at)
      const replacement = `__hidden#${names.length}_`
      if (end - at >= replacement.length) {
        names.push(hidden.toString('utf8', at, end))
        hidden.fill(0, at, end)
        hidden.write(replacement, at, 'latin1')
      }
      at = end + 1
    }
  }
  return { image: hidden, map: `BCSymbolMap Version: 2.0\n${names.join('\n')}\n` }
}
