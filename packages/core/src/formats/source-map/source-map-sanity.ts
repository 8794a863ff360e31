import { t } from '../../text.ts'
import { sourceMapJson } from './source-map-text.ts'

/**
 * Tells from its first and last bytes whether a file can be a source map: a JSON object that is not truncated. Cheap whatever the
 * size; the map is not parsed, because sending it does not need that.
 * @returns why it is no source map, as the end of a sentence, or undefined.
 */
export function sourceMapFlaw(head: Buffer, tail: Buffer): string | undefined {
  const start = sourceMapJson(head.toString('utf8')).trimStart()
  if (start.startsWith('<')) return t`is an HTML or XML page, not a source map`
  if (!start.startsWith('{')) return t`is not JSON`
  if (!tail.toString('utf8').trimEnd().endsWith('}')) return t`is truncated: its JSON does not end`
  return undefined
}
