import { closeSync, readSync } from 'node:fs'
import { openRegular } from '../files/open-regular.ts'
import type { KeyForm } from './key-forms.ts'

export interface Scanned {
  key?: { form: string; offset: number }
  /** Up to five quoted names of source maps in the file. Statistics files are skipped, because browsers do not load such files. */
  namedMaps: string[]
}

const CHUNK_BYTES = 256 * 1024
/** The overlap of consecutive chunks. No relevant map name is longer, so names that are split between two chunks are still found. */
const OVERLAP_BYTES = 1024
const MAX_NAMES = 5
/** Matches quoted map names, but not the keys of manifest entries: `"main.js.map": "/static/js/main.1a2b.js.map"`. */
const QUOTED_MAP = /["'`]([^"'`\s\\]{1,500}\.(?:[mc]?js|css)\.map)["'`](?!\s*:\s*["'`][^"'`\s\\]{1,500}\.map["'`])/gi
/** Keys in webpack and Rspack statistics, in esbuild metafiles, and in the `mf-stats.json` of Module Federation for Vite. */
const KEYS_OF_STATISTICS = ['"assetsByChunkName":', '"bytesInOutput":', '"buildOutput":']

/**
 * Searches files for the key in all its forms and for quoted names of source maps, using one buffer for all files. Reads are synchronous,
 * because fresh build output is in the page cache, and copying it is faster than a thread switch.
 */
export class FileScanner {
  readonly #keys: readonly KeyForm[]
  readonly #overlap: number
  #memory: Buffer | undefined

  constructor(keys: readonly KeyForm[]) {
    this.#keys = keys
    this.#overlap = Math.max(OVERLAP_BYTES, ...keys.map(({ bytes }) => bytes.length))
  }

  /**
   * @param from the path of the file, or its bytes if it is not on disk.
   * @param namesMaps whether to collect quoted names of source maps.
   * @throws a file system error.
   */
  scan(from: string | Uint8Array, namesMaps: boolean): Scanned {
    const names = new Set<string>()
    let key: Scanned['key']
    let isStatistics = false
    const look = (piece: Buffer, offset: number): boolean => {
      key ??= this.#findKey(piece, offset)
      isStatistics ||= namesMaps && KEYS_OF_STATISTICS.some((it) => piece.includes(it))
      if (namesMaps && names.size < MAX_NAMES && piece.includes('.map'))
        for (const [, name] of piece.toString().matchAll(QUOTED_MAP)) names.add(name as string)
      return !key || namesMaps
    }
    if (typeof from === 'string') this.#readPieces(from, look)
    else look(Buffer.from(from.buffer, from.byteOffset, from.length), 0)
    return { ...(key && { key }), namedMaps: isStatistics ? [] : [...names].slice(0, MAX_NAMES) }
  }

  /**
   * Reads a file in pieces, each of which begins with the end of the previous piece.
   * @param look returns whether to continue.
   */
  #readPieces(path: string, look: (piece: Buffer, offset: number) => boolean): void {
    this.#memory ??= Buffer.allocUnsafeSlow(CHUNK_BYTES + this.#overlap)
    const memory = this.#memory
    const { file } = openRegular(path)
    try {
      for (let position = 0, kept = 0; ; ) {
        const bytesRead = readSync(file, memory, kept, CHUNK_BYTES, position)
        const piece = memory.subarray(0, kept + bytesRead)
        if (bytesRead === 0 || !look(piece, position - kept)) return
        position += bytesRead
        kept = Math.min(this.#overlap, piece.length)
        piece.copy(memory, 0, piece.length - kept)
      }
    } finally {
      closeSync(file)
    }
  }

  #findKey(piece: Buffer, pieceOffset: number): Scanned['key'] {
    const found = this.#keys
      .map(({ name, bytes }) => ({ form: name, offset: piece.indexOf(bytes) }))
      .filter(({ offset }) => offset !== -1)
      .sort((a, b) => a.offset - b.offset)[0]
    return found && { ...found, offset: pieceOffset + found.offset }
  }
}
