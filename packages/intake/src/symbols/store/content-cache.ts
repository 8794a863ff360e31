import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDiskFull } from '../../platform/database/outage.ts'
import { openStaging, type Staging, sizeOf } from './staging.ts'

const ATTEMPTS = 2

/** The fetched content does not match its hash. */
export class DamagedContent extends Error {}

type Fetch = (sha256: string) => Promise<AsyncIterable<Buffer>>

interface Copy {
  path: string
  bytes: number
}

/**
 * Local copies of remote content. The least recently used are removed first. Concurrent requests for the same content
 * share one fetch.
 */
export class ContentCache {
  readonly #staging: Staging
  readonly #maxBytes: number
  readonly #keeper: string
  readonly #fetch: Fetch
  /** By hash, most recently used last. */
  readonly #kept = new Map<string, Copy>()
  readonly #fetching = new Map<string, Promise<string>>()
  #total = 0
  #spare: Promise<{ staging: Staging; directory: string }> | undefined

  /** @param keeper the remote store, for messages about damaged content. */
  constructor(staging: Staging, maxBytes: number, keeper: string, fetch: Fetch) {
    this.#staging = staging
    this.#maxBytes = maxBytes
    this.#keeper = keeper
    this.#fetch = fetch
  }

  holds(sha256: string): boolean {
    return this.#kept.has(sha256) || this.#fetching.has(sha256)
  }

  /** @throws if the content cannot be fetched, or does not match its hash. */
  async pathOf(sha256: string): Promise<string> {
    const copy = this.#kept.get(sha256)
    if (copy) {
      // The directory may have been cleaned.
      const isThere = (await sizeOf(copy.path)) === copy.bytes
      if (this.#kept.delete(sha256)) this.#total -= copy.bytes
      if (isThere) return this.#keep(sha256, copy)
    }
    const running = this.#fetching.get(sha256) ?? this.#fill(sha256).finally(() => this.#fetching.delete(sha256))
    this.#fetching.set(sha256, running)
    return running
  }

  async close(): Promise<void> {
    const spare = await this.#spare?.catch(() => undefined)
    await spare?.staging.close()
    if (spare) await rm(spare.directory, { recursive: true, force: true })
  }

  #keep(sha256: string, copy: Copy): string {
    this.#kept.set(sha256, copy)
    this.#total += copy.bytes
    return copy.path
  }

  async #fill(sha256: string): Promise<string> {
    const path = this.#keep(sha256, await this.#copy(sha256))
    for (const [oldest, copy] of this.#kept) {
      if (this.#total <= this.#maxBytes || oldest === sha256) break
      this.#kept.delete(oldest)
      this.#total -= copy.bytes
      await rm(copy.path, { force: true })
    }
    return path
  }

  /**
   * If the disk is full, copies go to the directory for temporary files, which is often on another disk, so that stacks
   * still resolve.
   */
  async #copy(sha256: string): Promise<Copy> {
    try {
      return await this.#copyTo(this.#staging, sha256)
    } catch (error) {
      if (!isDiskFull(error)) throw error
      this.#spare ??= openSpare()
      const { staging } = await this.#spare
      return this.#copyTo(staging, sha256)
    }
  }

  async #copyTo(staging: Staging, sha256: string): Promise<Copy> {
    for (let attempt = 1; ; attempt++) {
      const staged = await staging.stage(await this.#fetch(sha256))
      if (staged.sha256 === sha256) {
        const path = staging.place(sha256)
        await rename(staged.path, path)
        return { path, bytes: staged.bytes }
      }
      await staging.discard(staged)
      // A transfer error may not repeat.
      if (attempt === ATTEMPTS)
        throw new DamagedContent(`${this.#keeper} gave other content than ${sha256}: it hashes to ${staged.sha256}`)
    }
  }
}

async function openSpare() {
  const directory = await mkdtemp(join(tmpdir(), 'symup-copies-'))
  return { directory, staging: await openStaging(directory) }
}
