import { readEnds } from '../files/file-ends.ts'
import { sourceMapFlaw } from '../formats/source-map/source-map-sanity.ts'

export const NAMES_ITS_MAP = /\.(?:[mc]?js|css)$/i
export const IS_MAP = /\.(?:[mc]?js|css|wasm)\.map(?:\.gz|\.br|\.zst)?$/i

/** Matches only a field of the outermost object, because a HarmonyOS file contains many maps in nested objects. */
const VERSION_FIRST = /^[^{]*\{[^{]*"version"\s*:\s*3\b/
const VERSION_LAST = /"version"\s*:\s*3\b[^{}]*\}\s*$/
const SNIFFED_BYTES = 1024
/** Matches TypeScript's declaration maps, which never contain source text. */
const OF_DECLARATIONS = /\.d\.[cm]?ts\.map$/

/**
 * Tests whether a file with an ambiguous name is a source map. For example, `main.map` may be a source map, but `world.map` may belong to a
 * game.
 * @param content the file's bytes if the file is not on disk.
 * @throws a file system error.
 */
export function isOddlyNamedMap(path: string, content?: Uint8Array): boolean {
  if (!path.endsWith('.map') || OF_DECLARATIONS.test(path)) return false
  const { head, tail } = readEnds(content ?? path, SNIFFED_BYTES, SNIFFED_BYTES)
  return sourceMapFlaw(head, tail) === undefined && (VERSION_FIRST.test(`${head}`) || VERSION_LAST.test(`${tail}`))
}
