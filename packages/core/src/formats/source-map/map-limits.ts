import { t } from '../../text.ts'
import { MemoryBytes } from './bytes.ts'
import { SourceMapFlaw } from './flaw.ts'
import { readLayout } from './layout.ts'

/**
 * The maximum number of lines. A decoded map uses memory for each line, including empty lines. Even the largest unminified bundles have far
 * fewer than five million lines.
 */
export const MAX_LINES = 5_000_000
const SEMICOLON = 59

/**
 * Checks a map before decoding, because a few hundred bytes can declare billions of lines.
 * @throws SourceMapFlaw if the bytes are not a source map, or if no tool would write a map like it.
 */
export function checkMapBytes(bytes: Uint8Array): void {
  const layout = readLayout(new MemoryBytes(bytes))
  if (layout instanceof SourceMapFlaw) throw layout
  for (const { line, mappings } of layout.layers) {
    let lines = line
    for (let at = mappings.start; at < mappings.end && lines <= MAX_LINES; at++) if (bytes[at] === SEMICOLON) lines++
    if (lines > MAX_LINES) throw new SourceMapFlaw('too-many', t`The source map covers more than ${MAX_LINES} lines.`)
  }
}
