import type { MapAnswers } from '../map-answers.ts'
import type { MapFiles, MapQuestion } from '../map-views.ts'
import type { StackQuestion } from '../question.ts'

/** Parameters for starting a worker. */
export interface WorkerSettings {
  maxCachedBytes: number
}

/** The name of a source function that the worker may call. For mini programs, names begin with `miniPrograms.`. */
export type Callable = string

/**
 * What to index: the path of a mapping, or the paths of a source map and its optional script. By default, the script is searched for
 * functions.
 */
export type IndexFiles = { map: string; script?: string; parses?: boolean } | { mapping: string }

/** A worker's task: resolve a stack with the functions that its source offers, show a map, or create an index. */
export type Task =
  | {
      kind: 'stack'
      question: Omit<StackQuestion, 'budget'>
      callable: readonly Callable[]
    }
  | { kind: 'map'; files: MapFiles; question: MapQuestion }
  | { kind: 'index'; files: IndexFiles }

/** JSON for a stack, because copying many objects between threads takes longer than serializing them. */
export type TaskAnswer = string | MapAnswers[keyof MapAnswers] | Uint8Array | undefined

/** An answer's use of the thread's cache, and the cache's current size in bytes. */
export interface CacheUse {
  hits: number
  misses: number
  bytes: number
}

/** Messages from the pool to a worker. */
export type ToWorker =
  | {
      kind: 'ask'
      task: Task
      /** Milliseconds after which the remaining frames get a reason instead. */
      ms: number
      stop: Int32Array
    }
  | { kind: 'result'; call: number; value: unknown }
  | { kind: 'failed'; call: number; message: string; isLost: boolean }

/** Reads bytes from content with a given hash. Returns fewer than requested only at the end. */
export type ReadContent = (content: string, position: number, length: number) => Promise<Uint8Array>

/** State of a read, stored in the target's first element. The bytes follow it. */
export const READ = { runs: 0, done: 1, failed: 2, header: 4 } as const

/** Messages from a worker to the pool. During a read, the worker blocks until the bytes arrive. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'call'; call: number; target: Callable | number; args: unknown[] }
  | { kind: 'read'; content: string; position: number; length: number; into: SharedArrayBuffer }
  | { kind: 'answer'; answer: TaskAnswer; cache: CacheUse }
  | { kind: 'failure'; message: string; stack: string | undefined; code: string | undefined }

/** An artifact's function, which stays in the source's thread. */
export interface Handle {
  handle: number
}
