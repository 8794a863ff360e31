import { readEnds } from '../../files/file-ends.ts'
import { isHermesBytecode } from '../../formats/hermes/hermes-map.ts'
import type { FilePart } from '../../model/plan.ts'
import type { Traits } from '../kind.ts'

const HEAD_BYTES = 8
/**
 * A RAM bundle consists of a table and modules, so line numbers in the map differ from those in the file. Source: `magic-number.js` in
 * Metro.
 */
const RAM_BUNDLE = Buffer.from('e5d10bfb', 'hex')

export const TRAITS = { script: 'bundle', map: 'source_map', proves: isText } satisfies Traits

/**
 * Returns whether a bundle is text. Hermes bytecode and RAM bundles contain no code that can be compared. Unreadable files are treated as
 * text, so that `symup check` reports them.
 */
function isText({ content, path }: FilePart): boolean {
  try {
    const { head } = readEnds(content ?? path, HEAD_BYTES, 0)
    return !isHermesBytecode(head) && !head.subarray(0, RAM_BUNDLE.length).equals(RAM_BUNDLE)
  } catch {
    return true
  }
}
