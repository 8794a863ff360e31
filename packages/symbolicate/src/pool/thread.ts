import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { WorkerSettings } from './protocol.ts'

// Loads nothing else of this package: a thread may be started before the rest is there.

export interface ThreadSettings extends WorkerSettings {
  /** Megabytes of heap. */
  maxHeapMb: number
}

export interface Thread {
  worker: Worker
  /** Whether it has said so already. */
  isReady(): boolean
  /** Removes its temporary files, which it cannot do itself when it is ended. */
  clear(): void
}

/** In the workspace a thread cannot be started from TypeScript without a loader, which takes it two seconds. */
const isFromSource = import.meta.url.endsWith('.ts')
const FROM_SOURCE = `import('tsx/esm/api').then(({ register }) => {
  register()
  return import(${JSON.stringify(new URL('./worker.ts', import.meta.url).href)})
})`
/** Our tests build this workspace's thread before they start, and name it here (see test/support/built-command.ts). */
const BUILT = new URL('../../dist/worker.js', import.meta.url)
const isInterpreted = isFromSource && process.env.SYMUP_BUILT_THREAD !== BUILT.href

/** Starts a thread of a pool. */
export function startThread({ maxCachedBytes, isForOneStack, maxHeapMb }: ThreadSettings): Thread {
  const scratch = scratchDirectory()
  const file = isFromSource ? BUILT : new URL('./worker.js', import.meta.url)
  const worker = new Worker(isInterpreted ? FROM_SOURCE : file, {
    eval: isInterpreted,
    workerData: { maxCachedBytes, isForOneStack } satisfies WorkerSettings,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    // The program's own options are none of this thread's.
    execArgv: isInterpreted ? ['--conditions=symup-source'] : [],
    ...(scratch !== undefined && { env: { ...process.env, TMPDIR: scratch, TEMP: scratch, TMP: scratch } }),
  })
  let isReady = false
  // The first that it says.
  worker.once('message', () => {
    isReady = true
  })
  const clear = () => {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })
  }
  worker.on('exit', clear)
  return { worker, isReady: () => isReady, clear }
}

/** undefined where the disk takes none. */
function scratchDirectory(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), 'symup-stacks-'))
  } catch {
    return undefined
  }
}

/** For one stack, as `symbolicateApart` resolves it. */
export const FOR_ONE_STACK: ThreadSettings = {
  maxCachedBytes: 256 * 1024 * 1024,
  isForOneStack: true,
  maxHeapMb: 2048,
}

let early: Thread | undefined

/** Starts the thread of the first `symbolicateApart` while the program is still being loaded. It does not keep the program running. */
export function startEarly(): Thread {
  const thread = startThread(FOR_ONE_STACK)
  early = thread
  thread.worker.unref()
  // The program may end before it, also by a signal, which ends it as if nobody listened.
  process.once('exit', thread.clear)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      thread.clear()
      process.kill(process.pid, signal)
    })
  }
  const forget = () => {
    if (early === thread) early = undefined
  }
  // The next question starts another, and learns why that one ends.
  thread.worker.on('error', forget).on('exit', forget)
  return thread
}

/** The one that was started early, once; else a new one. */
export function earlyThread(settings: ThreadSettings): Thread {
  const thread = early
  early = undefined
  return thread ?? startThread(settings)
}
