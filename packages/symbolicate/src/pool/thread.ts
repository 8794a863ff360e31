import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { WorkerSettings } from './protocol.ts'

export interface ThreadSettings extends WorkerSettings {
  /** The maximum heap size in megabytes. */
  maxHeapMb: number
}

/** Whether symup runs from its source code. If so, the worker needs a TypeScript loader, which takes two seconds to start. */
const isFromSource = import.meta.url.endsWith('.ts')
const FROM_SOURCE = `import('tsx/esm/api').then(({ register }) => {
  register()
  return import(${JSON.stringify(new URL('./worker.ts', import.meta.url).href)})
})`
/** The built worker. The tests build the worker before they start it (see test/support/built-command.ts). */
const BUILT = new URL('../../dist/worker.js', import.meta.url)
const isInterpreted = isFromSource && process.env.SYMUP_BUILT_THREAD !== BUILT.href

export function startThread({ maxCachedBytes, maxHeapMb }: ThreadSettings): Worker {
  const scratch = scratchDirectory()
  const file = isFromSource ? BUILT : new URL('./worker.js', import.meta.url)
  const worker = new Worker(isInterpreted ? FROM_SOURCE : file, {
    eval: isInterpreted,
    workerData: { maxCachedBytes } satisfies WorkerSettings,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    // Do not inherit the command-line options of the main program.
    execArgv: isInterpreted ? ['--conditions=symup-source'] : [],
    ...(scratch !== undefined && { env: { ...process.env, TMPDIR: scratch, TEMP: scratch, TMP: scratch } }),
  })
  // A terminated thread cannot delete its own temporary files, so the files are deleted here.
  worker.on('exit', () => {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })
  })
  return worker
}

function scratchDirectory(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), 'symup-stacks-'))
  } catch {
    return undefined
  }
}
