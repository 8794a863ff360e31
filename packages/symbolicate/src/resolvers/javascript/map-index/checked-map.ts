import { createHash } from 'node:crypto'
import type { WeightedCache } from '../../../cache.ts'
import { PagedBytes } from '../../../paged-file.ts'
import { CHECKED_BYTES, field, type IndexReader } from './format.ts'

/** What an index says of a page of its map: 64 bits, which no fault of a disk or a network meets. */
export function checkOf(page: Uint8Array): [number, number] {
  const hash = createHash('sha256').update(page).digest()
  return [hash.readUInt32LE(0), hash.readUInt32LE(4)]
}

/**
 * A map of which parts come from afar and are compared with what its index says of them.
 * @param read gives bytes of the map. @throws when they cannot be had.
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
      const said = index.record('pages', (position + at) / CHECKED_BYTES)
      if (field(said, 0) !== first || field(said, 1) !== second)
        throw new Error('a part of the map is not what its index says')
    }
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }
  return new PagedBytes({ size, key: 'map', pageBytes: CHECKED_BYTES, load }, kept)
}
