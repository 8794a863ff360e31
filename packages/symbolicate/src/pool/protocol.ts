import type { MapAnswers } from '../map-answers.ts'
import type { MapFiles, MapQuestion } from '../map-views.ts'
import type { StackQuestion } from '../question.ts'

export interface WorkerSettings {
  maxCachedBytes: number
}

/** The name of a function that workers can call on a source. The names of functions for mini programs start with `miniPrograms.`. */
export type Callable = string

/**
 * The paths of the files to index: either a JVM mapping, or a source map and optionally its script.
 * Unless `parses` is false, the script is searched for functions.
 */
export type IndexFiles = { map: string; script?: string; parses?: boolean } | { mapping: string }

/** A task for a worker. A stack task lists the functions that the source implements. */
export type Task =
  | {
      kind: 'stack'
      question: Omit<StackQuestion, 'budget'>
      callable: readonly Callable[]
    }
  | { kind: 'map'; files: MapFiles; question: MapQuestion }
  | { kind: 'index'; files: IndexFiles }

/** Results for stacks are JSON strings, because copying many objects between threads takes longer than serializing them. */
export type TaskAnswer = string | MapAnswers[keyof MapAnswers] | Uint8Array | undefined

/** Statistics about how a request used the thread's cache, and the current size of the cache in bytes. */
export interface CacheUse {
  hits: number
  misses: number
  bytes: number
}

export type ToWorker =
  | {
      kind: 'ask'
      task: Task
      /** The time limit in milliseconds. After that, the remaining frames get a reason instead of a position. */
      ms: number
      stop: Int32Array
    }
  | { kind: 'result'; call: number; value: unknown }
  | { kind: 'failed'; call: number; message: string; isLost: boolean }

/** Reads bytes from the content with the given hash. The result has fewer bytes than requested only at the end of the content. */
export type ReadContent = (content: string, position: number, length: number) => Promise<Uint8Array>

/** The states of a read, and the size in bytes of the shared buffer's header, which contains the state. */
export const READ = { runs: 0, done: 1, failed: 2, header: 4 } as const

/** A message from a worker to the pool. The worker blocks during a `read`. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'call'; call: number; target: Callable | number; args: unknown[] }
  | { kind: 'read'; content: string; position: number; length: number; into: SharedArrayBuffer }
  | { kind: 'answer'; answer: TaskAnswer; cache: CacheUse }
  | { kind: 'failure'; message: string; stack: string | undefined; code: string | undefined }

/** Refers to a function that stays in the source's thread. */
export interface Handle {
  handle: number
}
