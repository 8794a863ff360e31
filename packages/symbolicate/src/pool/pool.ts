import { availableParallelism } from 'node:os'
import type { ArtifactSource } from '../artifacts.ts'
import type { Explanation } from '../frames.ts'
import type { MapAnswers } from '../map-answers.ts'
import type { MapFiles, MapQuestion } from '../map-views.ts'
import type { StackQuestion } from '../question.ts'
import { type Asker, DEFAULT_CACHED_BYTES, type Symbolicator } from '../symbolicate.ts'
import { Lanes, type PoolLoad } from './lanes.ts'
import type { CacheUse, IndexFiles, ReadContent } from './protocol.ts'
import { CallableSource } from './source-side.ts'

export interface PoolOptions {
  /**
   * The number of threads. A single owner can never use all threads and therefore cannot block other owners.
   * @default one more than the number of processors, but at least 3 and at most 5
   */
  threads?: number
  /**
   * The time limit for one request in milliseconds. After 60% of the time limit, the remaining frames get the reason `out-of-time`. When
   * the time limit is reached, the thread is replaced.
   * @default 10000
   */
  timeoutMs?: number
  /**
   * The maximum heap size of a thread in megabytes.
   * @default 2048
   */
  maxHeapMb?: number
  /**
   * The maximum number of waiting requests. Each owner can have at most half of them.
   * @default 500
   */
  maxWaiting?: number
  /**
   * The maximum memory for all parsed files in each thread, in bytes.
   * @default 268435456
   */
  maxCachedBytes?: number
  /**
   * Whether to start the first thread when the pool is created, so that the first request is faster.
   * @default false
   */
  startsAhead?: boolean
}

export interface StorePoolOptions extends PoolOptions {
  readDistant?: ReadContent
  /** Called after each request with statistics about its cache use. */
  onCacheUse?: (use: CacheUse) => void
}

/** Answers questions about source maps in another thread. */
export interface MapViewer {
  /**
   * @returns undefined if the map does not contain the answer or cannot be parsed.
   * @throws Unanswered if the request is not answered or a file cannot be read.
   */
  lookAtMap<V extends MapQuestion['view']>(
    files: MapFiles,
    question: Extract<MapQuestion, { view: V }>,
    asker?: Asker,
  ): Promise<MapAnswers[V] | undefined>
}

export interface SymbolicatorPool extends Symbolicator {
  /**
   * Resolves a stack in another thread, with time and memory limits.
   * @throws Unanswered, or an error from the source.
   */
  symbolicate(question: StackQuestion, source: ArtifactSource, asker?: Asker): Promise<Explanation>
  load(): PoolLoad
  close(): Promise<void>
}

/** A pool for servers that store source maps, such as an intake. */
export interface StorePool extends SymbolicatorPool, MapViewer {
  /**
   * Creates the index for a source map (for `ScriptArtifact.locate`) or for a mapping (for `SymbolFile.open`).
   * @throws Unanswered if the request is not answered or a file cannot be read.
   */
  indexMap(files: IndexFiles, asker?: Asker): Promise<Uint8Array>
}

/**
 * Creates a pool of threads that resolve stacks. Each thread handles one request at a time. Requests for the same release wait for the
 * thread that has read the release's files, so each file is usually read only once.
 */
export function createSymbolicatorPool(options: PoolOptions = {}): SymbolicatorPool {
  return createStorePool(options)
}

export function createStorePool(options: StorePoolOptions = {}): StorePool {
  const { threads = Math.min(4, Math.max(2, availableParallelism())) + 1, maxWaiting = 500 } = options
  const { timeoutMs = 10_000, maxHeapMb = 2048, maxCachedBytes = DEFAULT_CACHED_BYTES } = options
  const { onCacheUse, readDistant } = options
  const perThread = { timeoutMs, maxHeapMb, maxCachedBytes, onCacheUse, readDistant }
  const lanes = new Lanes({ ...perThread, threads, maxWaiting })
  if (options.startsAhead) lanes.prepare()
  return {
    load: () => lanes.load(),
    async symbolicate({ budget: _, ...question }, stored, asker) {
      const key = JSON.stringify([question.service, question.version, question.platform])
      const source = new CallableSource(stored)
      const task = { kind: 'stack', question, callable: source.names } as const
      return JSON.parse((await lanes.run({ key, task, source }, asker)) as string)
    },
    async lookAtMap(files, question, asker) {
      const answer = await lanes.run({ key: files.key, task: { kind: 'map', files, question } }, asker)
      return answer as MapAnswers[typeof question.view] | undefined
    },
    async indexMap(files, asker) {
      const key = 'mapping' in files ? files.mapping : files.map
      return (await lanes.run({ key, task: { kind: 'index', files } }, asker)) as Uint8Array
    },
    close: () => lanes.close(),
  }
}

/**
 * Resolves one stack in a separate thread without caching anything. The time limit is 60 seconds, and the heap is limited to 2 GB.
 * @throws Unanswered, or an error from the source.
 */
export async function symbolicateApart(question: StackQuestion, source: ArtifactSource): Promise<Explanation> {
  const pool = createSymbolicatorPool({ timeoutMs: 60_000, threads: 1 })
  try {
    return await pool.symbolicate(question, source)
  } finally {
    await pool.close()
  }
}
