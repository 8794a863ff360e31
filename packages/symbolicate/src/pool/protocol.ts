import type { MapAnswers } from '../map-answers.ts'
import type { MapFiles, MapQuestion } from '../map-views.ts'
import type { StackQuestion } from '../question.ts'

/** What a worker is started with. */
export interface WorkerSettings {
  maxCachedBytes: number
  /** One stack is resolved, and nothing else. */
  isForOneStack: boolean
}

/** The functions of a source that a question comes with; those of mini programs begin with `miniPrograms.`. */
export type Callable = string

/** Paths of a source map and, where there is one, of its script, and whether the functions of the script are looked for, which they are by default; or of a mapping. */
export type IndexFiles = { map: string; script?: string; parses?: boolean } | { mapping: string }

/** What a worker is to do: resolve a stack, with the functions of its source that it may call, look at a map, or make an index. */
export type Task =
  | {
      kind: 'stack'
      question: Omit<StackQuestion, 'budget'>
      callable: readonly Callable[]
    }
  | { kind: 'map'; files: MapFiles; question: MapQuestion }
  | { kind: 'index'; files: IndexFiles }

/** Of a stack it is JSON: to copy many objects from thread to thread takes longer than to write and read their text. */
export type TaskAnswer = string | MapAnswers[keyof MapAnswers] | Uint8Array | undefined

/** What one answer took of the parsed files that the thread keeps, and the bytes of those that it keeps now. */
export interface CacheUse {
  hits: number
  misses: number
  bytes: number
}

/** From the pool to a worker. */
export type ToWorker =
  | {
      kind: 'ask'
      task: Task
      /** Milliseconds after which frames are answered with a reason. */
      ms: number
      stop: Int32Array
    }
  | { kind: 'result'; call: number; value: unknown }
  | { kind: 'failed'; call: number; message: string; isLost: boolean }

/** Reads bytes of content that is named by a hash; fewer only where it ends. */
export type ReadContent = (content: string, position: number, length: number) => Promise<Uint8Array>

/** How a read stands, in the first number of what is read into; the bytes are behind it. */
export const READ = { runs: 0, done: 1, failed: 2, header: 4 } as const

/** From a worker to the pool; while it reads, it stands still until the bytes are there. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'call'; call: number; target: Callable | number; args: unknown[] }
  | { kind: 'read'; content: string; position: number; length: number; into: SharedArrayBuffer }
  | { kind: 'answer'; answer: TaskAnswer; cache: CacheUse }
  | { kind: 'failure'; message: string; stack: string | undefined; code: string | undefined }

/** A function of an artifact, which stays in the thread of its source. */
export interface Handle {
  handle: number
}

/** A file that the worker opens itself instead of being sent its bytes. */
export interface StoredFile {
  storedFile: string
}
