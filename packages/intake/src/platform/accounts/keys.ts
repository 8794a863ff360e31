import { hash, timingSafeEqual } from 'node:crypto'

/** Stores only digests of the keys. */
export function keyRing<T>(entries: readonly (readonly [key: string, opens: T])[]) {
  const known = entries.map(([key, opens]) => ({ digest: digest(key), opens }))
  return {
    /** If a key is added twice, the last entry applies. */
    add(key: string, opens: T) {
      known.push({ digest: digest(key), opens })
    },
    /** Compares the given key with all known keys, so that the response time reveals nothing about them. */
    find(key: unknown): T | undefined {
      if (typeof key !== 'string' || known.length === 0) return undefined
      const given = digest(key)
      let found: T | undefined
      for (const entry of known) if (timingSafeEqual(entry.digest, given)) found = entry.opens
      return found
    },
  }
}

export function digest(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

export function matchesDigest(key: string, hex: string): boolean {
  const known = Buffer.from(hex, 'hex')
  const given = digest(key)
  return known.length === given.length && timingSafeEqual(known, given)
}
