import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { WorkerSettings } from './protocol.ts'

export interface ThreadSettings extends WorkerSettings {
  /** Maximum heap in megabytes. */
  maxHeapMb: number
}

/** In the workspace, a thread needs a loader to start from TypeScript, which takes two seconds. */
const isFromSource = import.meta.url.endsWith('.ts')
const FROM_SOURCE = `import('tsx/esm/api').then(({ register }) => {
  register()
  return import(${JSON.stringify(new URL('./worker.ts', import.meta.url).href)})
})`
/** Our tests build the workspace's worker first (see test/support/built-command.ts). */
const BUILT = new URL('../../dist/worker.js', import.meta.url)
const isInterpreted = isFromSource && process.env.SYMUP_BUILT_THREAD !== BUILT.href

/** Starts a thread of a pool. */
export function startThread({ maxCachedBytes, maxHeapMb }: ThreadSettings): Worker {
  const scratch = scratchDirectory()
  const file = isFromSource ? BUILT : new URL('./worker.js', import.meta.url)
  const worker = new Worker(isInterpreted ? FROM_SOURCE : file, {
    eval: isInterpreted,
    workerData: { maxCachedBytes } satisfies WorkerSettings,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    // The program's own options must not apply to this thread.
    execArgv: isInterpreted ? ['--conditions=symup-source'] : [],
    ...(scratch !== undefined && { env: { ...process.env, TMPDIR: scratch, TEMP: scratch, TMP: scratch } }),
  })
  // A terminated thread cannot remove its temporary files itself.
  worker.on('exit', () => {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })
  })
  return worker
}

/** Undefined if the disk rejects the directory. */
function scratchDirectory(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), 'symup-stacks-'))
  } catch {
    return undefined
  }
}
