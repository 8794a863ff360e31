import { createHash, timingSafeEqual } from 'node:crypto'

/** A set of keys, kept as digests. */
export interface KeySet {
  /** In constant time, whatever is given. */
  has(key: unknown): boolean
}

export function keySet(keys: readonly string[]): KeySet {
  const digests = keys.map(digest)
  return {
    has(key) {
      if (typeof key !== 'string') return false
      const given = digest(key)
      let found = false
      for (const known of digests) found = timingSafeEqual(known, given) || found
      return found
    },
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
