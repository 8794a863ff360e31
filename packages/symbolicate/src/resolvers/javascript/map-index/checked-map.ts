import { createHash } from 'node:crypto'
import type { WeightedCache } from '../../../cache.ts'
import { PagedBytes } from '../../../paged-file.ts'
import { CHECKED_BYTES, field, type IndexReader } from './format.ts'

/** Computes the checksum of a page for the index. 64 bits are enough to detect disk and network faults. */
export function checkOf(page: Uint8Array): [number, number] {
  const hash = createHash('sha256').update(page).digest()
  return [hash.readUInt32LE(0), hash.readUInt32LE(4)]
}

/**
 * Opens a remote map. Its parts are verified with the index.
 * @param read reads bytes from the map, or throws if they are unavailable.
 */
export function checkedMap(
  size: number,
  read: (position: number, length: number) => Uint8Array,
  index: IndexReader,
  kept: WeightedCache<unknown>,
): PagedBytes {
  const load = (position: number, length: number) => {
    const bytes = read(position, length)
    for (let at = 0; at < length; at += CHECKED_BYTES) {
      const [first, second] = checkOf(bytes.subarray(at, at + CHECKED_BYTES))
      const expected = index.record('pages', (position + at) / CHECKED_BYTES)
      if (field(expected, 0) !== first || field(expected, 1) !== second)
        throw new Error('The content of the source map does not match its symbol index.')
    }
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }
  return new PagedBytes({ size, key: 'map', pageBytes: CHECKED_BYTES, load }, kept)
}
