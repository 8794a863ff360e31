import { open } from 'node:fs/promises'
import type { KeyForm } from './key-forms.ts'

/** What stands in a file that should not ship. */
export interface Scanned {
  /** The first place of the key. */
  key?: { form: string; offset: number }
  /** Names of source maps that stand there in quotes, at most a few. */
  namedMaps: string[]
}

const CHUNK_BYTES = 256 * 1024
/** Longer than any name of a map that matters; what stands across two chunks is seen whole. */
const OVERLAP_BYTES = 1024
const MOST_NAMES = 5
const QUOTED_MAP = /["'`]([^"'`\s\\]{1,500}\.(?:[mc]?js|css)\.map)["'`]/g

/**
 * Reads a file in pieces and looks for a key in any of its forms and, where asked for, for quoted names of source maps. Memory does not
 * grow with the file.
 * @throws the file system's error.
 */
export async function scanFile(path: string, keys: readonly KeyForm[], namesMaps: boolean): Promise<Scanned> {
  const overlap = Math.max(OVERLAP_BYTES, ...keys.map(({ bytes }) => bytes.length))
  const names = new Set<string>()
  let key: Scanned['key']
  const file = await open(path)
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES + overlap)
    let kept = 0
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(buffer, kept, CHUNK_BYTES, position)
      if (bytesRead === 0) break
      const piece = buffer.subarray(0, kept + bytesRead)
      key ??= findKey(piece, keys, position - kept)
      if (namesMaps && names.size < MOST_NAMES && piece.includes('.map')) {
        for (const [, name] of piece.toString('latin1').matchAll(QUOTED_MAP)) names.add(name as string)
      }
      position += bytesRead
      if (key && !namesMaps) break
      kept = Math.min(overlap, piece.length)
      piece.copy(buffer, 0, piece.length - kept)
    }
  } finally {
    await file.close()
  }
  return { ...(key && { key }), namedMaps: [...names].slice(0, MOST_NAMES) }
}

function findKey(piece: Buffer, keys: readonly KeyForm[], pieceOffset: number): Scanned['key'] {
  for (const { name, bytes } of keys) {
    const at = piece.indexOf(bytes)
    if (at !== -1) return { form: name, offset: pieceOffset + at }
  }
  return undefined
}
