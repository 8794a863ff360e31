import { t } from '../../text.ts'
import { sourceMapJson } from './source-map-text.ts'

/** The first bytes of a compressed file. Source: RFC 8878, 3.1.1 */
const ZSTANDARD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * Checks whether a file can be a source map, which is always a complete JSON object. Only the first and last bytes are read, so the cost
 * does not depend on the file size.
 * @returns a sentence that explains why the file is not a source map, or undefined if it may be one.
 */
export function sourceMapFlaw(head: Buffer, tail: Buffer): string | undefined {
  if (head.subarray(0, ZSTANDARD.length).equals(ZSTANDARD)) return t`The content is compressed with Zstandard.`
  const start = sourceMapJson(head.toString('utf8')).trimStart()
  if (start.startsWith('<')) return t`The content is an HTML or XML page, not a source map.`
  if (!start.startsWith('{')) return t`The content is not valid JSON.`
  if (!tail.toString('utf8').trimEnd().endsWith('}')) return t`The content is truncated, so its JSON is incomplete.`
  return undefined
}
