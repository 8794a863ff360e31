import { statSync } from 'node:fs'
import { readEnds } from '../files/file-ends.ts'
import { sourceMapFlaw } from '../formats/source-map/source-map-sanity.ts'
import { readTrailingComments, type TrailingComments } from '../formats/source-map/source-mapping-url.ts'
import type { FilePart } from '../model/plan.ts'
import type { Secret } from '../model/secret.ts'
import { keyForms } from './key-forms.ts'
import { FileScanner, type Scanned } from './scan-file.ts'

/** Files that may end with the name of their map. */
export const NAMES_ITS_MAP = /\.(?:[mc]?js|css)$/i
/** Maps of such files and of WebAssembly, and their compressed copies. */
export const IS_MAP = /\.(?:[mc]?js|css|wasm)\.map(?:\.gz|\.br|\.zst)?$/i

/** A field of the outermost object: HarmonyOS has a map in each field of a file. */
const VERSION_FIRST = /^[^{]*\{[^{]*"version"\s*:\s*3\b/
const VERSION_LAST = /"version"\s*:\s*3\b[^{}]*\}\s*$/
const SNIFFED_BYTES = 1024
/** TypeScript's map of declarations: it never holds the text of a source. */
const OF_DECLARATIONS = /\.d\.[cm]?ts\.map$/

/**
 * Whether a file whose name does not tell is a source map: `main.map` may be one, `world.map` of a game is none.
 * @param content its bytes where it is not on disk.
 * @throws the file system's error.
 */
export function isOddlyNamedMap(path: string, content?: Uint8Array): boolean {
  if (!path.endsWith('.map') || OF_DECLARATIONS.test(path)) return false
  const { head, tail } = readEnds(content ?? path, SNIFFED_BYTES, SNIFFED_BYTES)
  return sourceMapFlaw(head, tail) === undefined && (VERSION_FIRST.test(`${head}`) || VERSION_LAST.test(`${tail}`))
}

/** What the leak guard looks for in a file. */
export interface Known {
  bytes: number
  key: Scanned['key']
  /** Of a script or a style sheet. */
  comments: TrailingComments | undefined
}

/** Files that are looked through while their bytes are in memory to be proven and sent, so that the leak guard need not read them again. */
export class KnownFiles {
  /** None where the key is so short that finding it would mean nothing. */
  readonly #scanner: FileScanner | undefined
  readonly #leaving: ReadonlySet<string>
  readonly #known = new Map<string, Known & { modified: number }>()

  /** @param leaving absolute paths of files that are not looked at, as they are deleted before the leak guard comes. */
  constructor(apiKey: Secret, leaving: ReadonlySet<string>) {
    const keys = keyForms(apiKey)
    this.#scanner = keys.length > 0 ? new FileScanner(keys) : undefined
    this.#leaving = leaving
  }

  /** Looks through those that were read from the disk. @param script name of the part that may end with the name of its map. */
  look(parts: readonly FilePart[], script?: string): void {
    for (const { name, path, content, modified } of parts) {
      if (!content || modified === undefined || this.#leaving.has(path)) continue
      const key = this.#scanner?.scan(content, false).key
      const comments = name === script || NAMES_ITS_MAP.test(path) ? readTrailingComments(content) : undefined
      this.#known.set(path, { key, comments, bytes: content.length, modified })
    }
  }

  /**
   * What was found in a file; undefined where it was not looked at, or has changed since.
   * @throws the file system's error.
   */
  of(path: string): Known | undefined {
    const known = this.#known.get(path)
    if (!known) return undefined
    const { size, mtimeMs } = statSync(path)
    return size === known.bytes && mtimeMs === known.modified ? known : undefined
  }
}
