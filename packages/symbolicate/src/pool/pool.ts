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
   * Number of threads. One owner can never use the last one, so it cannot block others.
   * @default one more than processors, from 3 to 5
   */
  threads?: number
  /**
   * Time limit of one question in milliseconds. After about half of it, frames get the reason `out-of-time`. When the time is up, the
   * thread is replaced.
   * @default 10000
   */
  timeoutMs?: number
  /**
   * Maximum heap of a thread in megabytes.
   * @default 2048
   */
  maxHeapMb?: number
  /**
   * Maximum number of waiting questions. One owner may have at most half of them.
   * @default 500
   */
  maxWaiting?: number
  /**
   * Memory for parsed files of all kinds in each thread, in bytes.
   * @default 268435456
   */
  maxCachedBytes?: number
  /**
   * Whether to start the first thread with the pool, so that the first question need not wait.
   * @default false
   */
  startsAhead?: boolean
}

export interface StorePoolOptions extends PoolOptions {
  /** Reads the content of `ScriptArtifact.distantMap`. */
  readDistant?: ReadContent
  /** Called for every answer with information about its cache use. */
  onCacheUse?: (use: CacheUse) => void
}

/** Shows the contents of source maps in other threads. */
export interface MapViewer {
  /**
   * @returns undefined if the map has no answer, or cannot be shown.
   * @throws Unanswered, also if a file cannot be read.
   */
  lookAtMap<V extends MapQuestion['view']>(
    files: MapFiles,
    question: Extract<MapQuestion, { view: V }>,
    asker?: Asker,
  ): Promise<MapAnswers[V] | undefined>
}

export interface SymbolicatorPool extends Symbolicator {
  /**
   * Resolves a stack in another thread with limited time and memory.
   * @throws Unanswered, and the source's errors.
   */
  symbolicate(question: StackQuestion, source: ArtifactSource, asker?: Asker): Promise<Explanation>
  load(): PoolLoad
  close(): Promise<void>
}

/** The pool for a store of maps, such as an intake. */
export interface StorePool extends SymbolicatorPool, MapViewer {
  /**
   * Creates the index of a source map (for `ScriptArtifact.locate`) or of a mapping (for `SymbolFile.open`).
   * @throws Unanswered, also if a file cannot be read.
   */
  indexMap(files: IndexFiles, asker?: Asker): Promise<Uint8Array>
}

/**
 * Resolves stacks in separate threads, one question at a time in each. Questions about the same release wait for the
 * thread that has its files, unless too many wait, so each file is usually read once.
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
 * Resolves one stack in a separate thread without caching anything, within limits of 60 seconds and 2 GB of heap.
 * @throws Unanswered, and the source's errors.
 */
export async function symbolicateApart(question: StackQuestion, source: ArtifactSource): Promise<Explanation> {
  const pool = createSymbolicatorPool({ timeoutMs: 60_000, threads: 1 })
  try {
    return await pool.symbolicate(question, source)
  } finally {
    await pool.close()
  }
}
