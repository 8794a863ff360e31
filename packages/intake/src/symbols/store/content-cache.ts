import { rename, rm } from 'node:fs/promises'
import { type Staging, sizeOf } from './staging.ts'

const ATTEMPTS = 2

export class DamagedContent extends Error {}

interface Copy {
  path: string
  bytes: number
}

/**
 * Caches remote content in local files. Removes the least recently used files first. Concurrent requests for the same content share one
 * transfer.
 * @param keeper name of the remote store, used in messages about damaged content.
 */
export function contentCache(
  staging: Staging,
  maxBytes: number,
  keeper: string,
  fetch: (sha256: string) => Promise<AsyncIterable<Buffer>>,
) {
  /** Cached files by hash, least recently used first. */
  const kept = new Map<string, Copy>()
  const fetching = new Map<string, Promise<string>>()
  let total = 0

  const keep = (sha256: string, copy: Copy): string => {
    kept.set(sha256, copy)
    total += copy.bytes
    return copy.path
  }
  const copied = async (sha256: string): Promise<Copy> => {
    for (let attempt = 1; ; attempt++) {
      const staged = await staging.stage(await fetch(sha256))
      if (staged.sha256 === sha256) {
        const path = staging.place(sha256)
        await rename(staged.path, path)
        return { path, bytes: staged.bytes }
      }
      await staging.discard(staged)
      // The error may have occurred during the transfer, so the content is fetched again.
      if (attempt === ATTEMPTS)
        throw new DamagedContent(`${keeper} returned different content for ${sha256}: its hash is ${staged.sha256}`)
    }
  }
  const fill = async (sha256: string): Promise<string> => {
    const path = keep(sha256, await copied(sha256))
    for (const [oldest, copy] of kept) {
      if (total <= maxBytes || oldest === sha256) break
      kept.delete(oldest)
      total -= copy.bytes
      await rm(copy.path, { force: true })
    }
    return path
  }
  return {
    holds: (sha256: string) => kept.has(sha256) || fetching.has(sha256),
    /** @throws if the content cannot be fetched or does not match its hash. */
    async pathOf(sha256: string): Promise<string> {
      const copy = kept.get(sha256)
      if (copy) {
        // Another program may have deleted the file.
        const isThere = (await sizeOf(copy.path)) === copy.bytes
        if (kept.delete(sha256)) total -= copy.bytes
        if (isThere) return keep(sha256, copy)
      }
      const running = fetching.get(sha256) ?? fill(sha256).finally(() => fetching.delete(sha256))
      fetching.set(sha256, running)
      return running
    },
  }
}
