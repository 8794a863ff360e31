import { t } from '../../text.ts'
import { sourceMapJson } from './source-map-text.ts'

/**
 * Checks that the first and last bytes of a file can belong to a JSON object, so that the cost does not depend on the file size.
 * @returns the reason why the file is not a source map, as the end of a sentence, or undefined.
 */
export function sourceMapFlaw(head: Buffer, tail: Buffer): string | undefined {
  const start = sourceMapJson(head.toString('utf8')).trimStart()
  if (start.startsWith('<')) return t`is an HTML or XML page, not a source map`
  if (!start.startsWith('{')) return t`is not JSON`
  if (!tail.toString('utf8').trimEnd().endsWith('}')) return t`is truncated: its JSON is incomplete`
  return undefined
}
