import { rename, rm } from 'node:fs/promises'
import { type Staging, sizeOf } from './staging.ts'

const ATTEMPTS = 2

/** What was fetched is not what its hash says. */
export class DamagedContent extends Error {}

/** Local copies of content that is kept elsewhere. */
export interface ContentCache {
  holds(sha256: string): boolean
  /** @throws when it cannot be fetched, or is not what its hash says. */
  pathOf(sha256: string): Promise<string>
}

/**
 * Keeps the copies used last, up to a number of bytes; content that several ask for at once is fetched once.
 * @param keeper who keeps it, for the message when it is damaged.
 */
export function createContentCache(
  staging: Staging,
  maxBytes: number,
  keeper: string,
  fetch: (sha256: string) => Promise<AsyncIterable<Buffer>>,
): ContentCache {
  /** Bytes by hash; the one used last is last. */
  const kept = new Map<string, number>()
  const fetching = new Map<string, Promise<string>>()
  let total = 0
  const place = (sha256: string) => staging.place(sha256)

  const fill = async (sha256: string): Promise<string> => {
    let staged = await staging.stage(await fetch(sha256))
    for (let attempt = 1; staged.sha256 !== sha256; attempt++) {
      await staging.discard(staged)
      // What was wrong on its way is right the next time.
      if (attempt < ATTEMPTS) {
        staged = await staging.stage(await fetch(sha256))
        continue
      }
      throw new DamagedContent(`${keeper} gave other content than ${sha256}: it hashes to ${staged.sha256}`)
    }
    await rename(staged.path, place(sha256))
    kept.set(sha256, staged.bytes)
    total += staged.bytes
    for (const [oldest, bytes] of kept) {
      if (total <= maxBytes || oldest === sha256) break
      kept.delete(oldest)
      total -= bytes
      await rm(place(oldest), { force: true })
    }
    return place(sha256)
  }

  return {
    holds: (sha256) => kept.has(sha256) || fetching.has(sha256),
    async pathOf(sha256) {
      const bytes = kept.get(sha256)
      if (bytes !== undefined) {
        // Somebody may have tidied the directory up.
        const isThere = (await sizeOf(place(sha256))) === bytes
        if (kept.delete(sha256)) total -= bytes
        if (isThere) {
          kept.set(sha256, bytes)
          total += bytes
          return place(sha256)
        }
      }
      const running = fetching.get(sha256) ?? fill(sha256).finally(() => fetching.delete(sha256))
      fetching.set(sha256, running)
      return running
    },
  }
}
