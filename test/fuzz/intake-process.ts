// An intake in its own process that reports its state: first `{ url }`, then an answer to each message.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { NO_RATE_LIMITS, startIntake } from '@symup/intake'
import { internalsOf } from '../../packages/intake/src/internals.ts'
import { CpuBlocks } from '../../packages/intake/src/test-support/cpu-blocks.fixture.ts'
import { watchScans } from '../../packages/intake/src/test-support/query-plans.fixture.ts'

/** The intake's state since the last query. */
export interface Measure {
  /** Longest delay of its event loop, in milliseconds. */
  delay: number
  /** Longest turn of its event loop, in milliseconds of processor time. */
  busy: number
  /** SQL of a query that reads all artifacts of an account. */
  scan?: string
  /** Largest resident memory of the process so far, in bytes, including its threads. */
  memory: number
  /** Artifacts in the store. */
  stored: number
}

const intake = await startIntake({ rateLimits: NO_RATE_LIMITS })
const delays = monitorEventLoopDelay({ resolution: 10 })
delays.enable()
const blocks = new CpuBlocks()
const nextScan = watchScans(internalsOf(intake).store.database)
/**
 * On Linux, `maxRSS` is inherited from the process that forks: a test runner of 900 MB would count as ours. `VmHWM`
 * counts only this program.
 */
function peakMemory(): number {
  const { maxRSS } = process.resourceUsage()
  if (process.platform !== 'linux') return maxRSS * 1024
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? maxRSS) * 1024
}

process.on('message', async () => {
  const delay = delays.max / 1e6
  const busy = blocks.take()
  const scan = await nextScan()
  const stored = (await intake.uploads()).length
  const measure: Measure = { delay, busy, memory: peakMemory(), stored, ...(scan !== undefined && { scan }) }
  // The measurement itself does not count.
  delays.reset()
  blocks.take()
  process.send?.(measure)
})
process.on('disconnect', () => void intake.close().then(() => process.exit()))
process.send?.({ url: intake.url })
