import { t } from '../../text.ts'
import { MemoryBytes } from './bytes.ts'
import { SourceMapFlaw } from './flaw.ts'
import { readLayout } from './layout.ts'

/** Lines of the largest bundles that are not minified, several times. The decoded form keeps something for each, even for empty ones. */
export const MAX_LINES = 5_000_000
const SEMICOLON = 59

/**
 * Looks at a map's bytes before it is decoded: a few hundred of them can name billions of lines.
 * @throws SourceMapFlaw when they are not a source map, or one that no tool writes.
 */
export function checkMapBytes(bytes: Uint8Array): void {
  const layout = readLayout(new MemoryBytes(bytes))
  if (layout instanceof SourceMapFlaw) throw layout
  for (const { line, mappings } of layout.layers) {
    let lines = line
    for (let at = mappings.start; at < mappings.end && lines <= MAX_LINES; at++) if (bytes[at] === SEMICOLON) lines++
    if (lines > MAX_LINES) throw new SourceMapFlaw('too-many', t`has more than ${MAX_LINES} lines`)
  }
}
