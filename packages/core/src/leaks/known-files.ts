import { statSync } from 'node:fs'
import { readEnds } from '../files/file-ends.ts'
import { sourceMapFlaw } from '../formats/source-map/source-map-sanity.ts'
import { readTrailingComments, type TrailingComments } from '../formats/source-map/source-mapping-url.ts'
import type { FilePart } from '../model/plan.ts'
import type { Secret } from '../model/secret.ts'
import { keyForms } from './key-forms.ts'
import { FileScanner, type Scanned } from './scan-file.ts'

export const NAMES_ITS_MAP = /\.(?:[mc]?js|css)$/i
export const IS_MAP = /\.(?:[mc]?js|css|wasm)\.map(?:\.gz|\.br|\.zst)?$/i

/** Matches only a field of the outermost object, because HarmonyOS stores many maps as fields in one file. */
const VERSION_FIRST = /^[^{]*\{[^{]*"version"\s*:\s*3\b/
const VERSION_LAST = /"version"\s*:\s*3\b[^{}]*\}\s*$/
const SNIFFED_BYTES = 1024
/** Matches TypeScript's declaration maps, which never contain source text. */
const OF_DECLARATIONS = /\.d\.[cm]?ts\.map$/

/**
 * Tests whether a file with an unclear name is a source map: `main.map` may be one, but a game's `world.map` is not.
 * @param content the file's bytes if the file is not on disk.
 * @throws the file system's error.
 */
export function isOddlyNamedMap(path: string, content?: Uint8Array): boolean {
  if (!path.endsWith('.map') || OF_DECLARATIONS.test(path)) return false
  const { head, tail } = readEnds(content ?? path, SNIFFED_BYTES, SNIFFED_BYTES)
  return sourceMapFlaw(head, tail) === undefined && (VERSION_FIRST.test(`${head}`) || VERSION_LAST.test(`${tail}`))
}

export interface Known {
  bytes: number
  key: Scanned['key']
  comments: TrailingComments | undefined
}

/** Scans files while the check and the upload have their bytes in memory, so that the leak guard need not read them again. */
export class KnownFiles {
  /** Undefined if the key is so short that matches would be chance. */
  readonly #scanner: FileScanner | undefined
  readonly #leaving: ReadonlySet<string>
  readonly #known = new Map<string, Known & { modified: number }>()

  /** @param leaving absolute paths of files to skip, because they are deleted before the leak guard runs. */
  constructor(apiKey: Secret, leaving: ReadonlySet<string>) {
    const keys = keyForms(apiKey)
    this.#scanner = keys.length > 0 ? new FileScanner(keys) : undefined
    this.#leaving = leaving
  }

  /**
   * Scans the parts that come from disk.
   * @param script the name of the part that may refer to its map.
   */
  look(parts: readonly FilePart[], script?: string): void {
    for (const { name, path, content, modified } of parts) {
      if (!content || modified === undefined || this.#leaving.has(path)) continue
      const key = this.#scanner?.scan(content, false).key
      const comments = name === script || NAMES_ITS_MAP.test(path) ? readTrailingComments(content) : undefined
      this.#known.set(path, { key, comments, bytes: content.length, modified })
    }
  }

  /**
   * Returns the findings in a file, or undefined if the file was not scanned or has changed since.
   * @throws the file system's error.
   */
  of(path: string): Known | undefined {
    const known = this.#known.get(path)
    if (!known) return undefined
    const { size, mtimeMs } = statSync(path)
    return size === known.bytes && mtimeMs === known.modified ? known : undefined
  }
}
