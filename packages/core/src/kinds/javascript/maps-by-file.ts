import { join, posix } from 'node:path'
import { withFileBytes } from '../../formats/source-map/bytes.ts'
import { readLayout } from '../../formats/source-map/layout.ts'
import { readText } from '../../formats/source-map/text.ts'
import type { Output } from './locate-map.ts'

/**
 * Finds maps that no script references, such as those from webpack's SourceMapDevToolPlugin. A map is assigned to the script in its `file`
 * field, or to the script that its own name suggests, such as `js/app.js` for `maps/app.js.map`. Maps that are ambiguous or may belong to a
 * deleted script are skipped.
 * @param lacking scripts without a map, as paths relative to the directory.
 * @param maps unused maps, as paths relative to the directory.
 * @returns the map of each script for which a map was found.
 */
export function mapsByFile(
  scripts: readonly string[],
  lacking: ReadonlySet<string>,
  maps: readonly string[],
  { directory, roots }: Output,
): Map<string, string> {
  if (lacking.size === 0) return new Map()
  const known = new Set(scripts)
  const withScripts = new Set(scripts.map((script) => posix.dirname(script)))
  const alike = new Map<string, string[]>()
  for (const script of scripts) push(alike, posix.basename(script), script)
  const claims = new Map<string, string[]>()
  for (const map of maps) {
    const path = join(directory, map)
    if (!roots.hold(path)) continue
    const place = posix.dirname(map)
    const ownName = map.replace(/\.map$/i, '')
    // The `file` field is relative to the map in Rollup's maps, and relative to the output directory in webpack's.
    const exactly = (named: string) =>
      [posix.join(place, named), posix.normalize(named)].find((file) => known.has(file))
    const isKnown = (named: string) => exactly(named) !== undefined || alike.has(posix.basename(named))
    // webpack writes the `file` field before it replaces `[contenthash]` with the final hash.
    const file = madeFor(path)
    const named = file !== undefined && isKnown(file) ? file : ownName
    const exact = exactly(named)
    const [first, ...more] = exact === undefined ? (alike.get(posix.basename(named)) ?? []) : [exact]
    if (first === undefined || more.length > 0 || !lacking.has(first)) continue
    const isClear = first === exact && (named.includes('/') || posix.dirname(exact) === place)
    if (isClear || !withScripts.has(place)) push(claims, first, map)
  }
  return new Map([...claims].flatMap(([script, [map, ...more]]) => (map && more.length === 0 ? [[script, map]] : [])))
}

/** @returns undefined if the map does not reference a script, or if it cannot be read. */
function madeFor(path: string): string | undefined {
  try {
    return withFileBytes(path, (bytes) => {
      const layout = readLayout(bytes)
      const file = 'file' in layout && layout.file ? readText(bytes, layout.file) : undefined
      return typeof file === 'string' && file !== '' ? file.replaceAll('\\', '/') : undefined
    })
  } catch {
    return undefined
  }
}

function push(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
