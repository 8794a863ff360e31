import { type ByteSource, MemoryBytes, nextPoll } from '@symup/core/resolving'
import type { ScriptArtifact } from '../../artifacts.ts'
import { type Shelf, WeightedCache } from '../../cache.ts'
import { PagedFile } from '../../paged-file.ts'
import { MAP_BYTES, MAX_KEPT } from './load-script.ts'
import { IndexReader } from './map-index/format.ts'
import { SourceMap } from './source-map.ts'

/** What the look-ups of one stack may take. All that is done between two reads is in proportion to what was read, so these bound the time. */
export const NEAR_LIMITS = {
  /** Bytes of all reads, whether they were read before or not. */
  bytes: 1024 * 1024,
  /** Bytes of one read. */
  readBytes: 256 * 1024,
  /** Counted for each read beside its bytes, so that there are not many of few bytes. */
  bytesPerRead: 256,
  /** Milliseconds after which no read begins, for machines on which even that takes long. The look-ups of all stacks take no more of a turn of the event loop: the next one waits for the next turn. */
  ms: 10,
  /** Milliseconds of a look-up that count for its turn: most take some hundredths of one. */
  countedMs: 0.25,
  /** Milliseconds to find the files of a map. */
  openMs: 50,
  /** Bytes of the largest index that another thread hands over. */
  indexBytes: 256 * 1024,
}

class TooMuch extends Error {}

/** An open map, undefined where it is one for another thread; or the index of one that is not open. */
export type NearMap = { map: SourceMap | undefined } | { index: Uint8Array }

/**
 * Maps that are looked up in by the thread which answers requests: to find a place with an index takes less than the way to another thread and back. No index is made
 * here, and no more is done than {@link NEAR_LIMITS} say: all else is for another thread.
 */
export class NearMaps {
  readonly #kept: Shelf<NearMap>
  readonly #limits: typeof NEAR_LIMITS
  #bytesLeft = 0
  #end = 0
  /** Milliseconds that long look-ups took in this turn of the event loop. */
  #spent = 0

  /** @param kept where maps are kept, weighed by the bytes that they take. */
  constructor(kept: Shelf<NearMap>, limits = NEAR_LIMITS) {
    this.#kept = kept
    this.#limits = limits
  }

  /**
   * Opens a map by its index.
   * @returns undefined where it is for another thread; `no-index` where that thread has to make an index, which `keepIndex` then takes.
   */
  async open(artifact: ScriptArtifact): Promise<SourceMap | 'no-index' | undefined> {
    const { contentKey } = artifact
    const known = this.#kept.get(contentKey)
    if (known && 'map' in known) return known.map
    const made = known?.index
    try {
      const located = await this.#soon(locate(artifact, made))
      if (located === undefined || located === 'no-index') return located
      return this.within([contentKey], () => this.#open(contentKey, located.path, located.index))
    } catch {
      // The other thread says why.
      return undefined
    }
  }

  /** Takes the index that another thread made in memory. */
  keepIndex(contentKey: string, index: Uint8Array): void {
    this.#kept.set(contentKey, { index }, MAP_BYTES + index.length)
  }

  /**
   * Looks up in maps, all at once. Waits before that where the look-ups of this turn of the event loop took long, so that all else has its turn.
   * @param contentKeys of the maps: where one of them fails they are opened anew when they are asked for next.
   * @returns undefined where another thread is to be asked.
   */
  async within<T>(contentKeys: readonly string[], lookUp: () => T): Promise<T | undefined> {
    while (this.#spent >= this.#limits.ms) await nextPoll()
    const begin = performance.now()
    this.#bytesLeft = this.#limits.bytes
    this.#end = begin + this.#limits.ms
    try {
      return lookUp()
    } catch (error) {
      if (!(error instanceof TooMuch)) for (const key of contentKeys) this.#kept.delete(key)
      return undefined
    } finally {
      this.#spend(performance.now() - begin)
    }
  }

  #spend(ms: number): void {
    if (ms < this.#limits.countedMs) return
    if (this.#spent === 0) void nextPoll().then(() => (this.#spent = 0))
    this.#spent += ms
  }

  /** undefined where it takes long: an index may be under way, or a file far away. How long a stack may wait for these, the pool sees to. */
  async #soon<T>(work: Promise<T>): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, this.#limits.openMs, undefined)
    })
    return Promise.race([work, late]).finally(() => clearTimeout(timer))
  }

  /** @param index its path or its bytes. @throws what reading throws. */
  #open(contentKey: string, path: string, index: string | Uint8Array): SourceMap | undefined {
    const pages = new WeightedCache<unknown>(MAX_KEPT)
    const isMade = typeof index !== 'string'
    const reader = new IndexReader(
      this.#metered(isMade ? new MemoryBytes(index) : new PagedFile(index, pages, 'index')),
    )
    // Scopes are read as a whole.
    const isUsable = reader.facts.flaw === undefined && !reader.facts.hasScopes
    const map = isUsable ? new SourceMap(reader, this.#metered(new PagedFile(path, pages, 'map')), pages) : undefined
    this.#kept.delete(contentKey)
    this.#kept.set(contentKey, { map }, MAP_BYTES + (isMade ? index.length : 0) + pages.weight)
    pages.onWeight = (change) => this.#kept.reweigh(contentKey, change)
    return map
  }

  /** The same bytes, of which no more is read than may be. */
  #metered(bytes: ByteSource): ByteSource {
    return {
      size: bytes.size,
      read: (offset, length) => {
        this.#bytesLeft -= length + this.#limits.bytesPerRead
        if (length > this.#limits.readBytes || this.#bytesLeft < 0 || performance.now() > this.#end) throw new TooMuch()
        return bytes.read(offset, length)
      },
    }
  }
}

/** Where a map and its index are. @throws what the artifact throws. */
async function locate(
  artifact: ScriptArtifact,
  made: Uint8Array | undefined,
): Promise<{ path: string; index: string | Uint8Array } | 'no-index' | undefined> {
  if (!artifact.locate || (await artifact.distantMap?.())) return undefined
  const index = made ?? (await artifact.locate('index'))
  if (index === undefined) return 'no-index'
  const path = await artifact.locate('map')
  return path === undefined ? undefined : { path, index }
}
