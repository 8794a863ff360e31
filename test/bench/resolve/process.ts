// An intake in its own process, with threads built like the published ones. Prints its address, then its cost after each message.
import { readFileSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startIntake } from '../../../packages/intake/src/index.ts'

/** The cost since the last query. */
export interface IntakeCost {
  /** CPU seconds, of all threads. */
  cpu: number
  /** Longest delay of the event loop, in milliseconds. */
  delay: number
  /** Current and peak resident memory, in MB. */
  resident: number
  peak: number
}

const intake = await startIntake({ rateLimits: false, stacks: { timeoutMs: 120_000 } })
const delays = monitorEventLoopDelay({ resolution: 10 })
delays.enable()
let before = process.cpuUsage()
const megabytes = (field: string) =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024

process.on('message', () => {
  const { user, system } = process.cpuUsage(before)
  const cost = {
    cpu: (user + system) / 1e6,
    delay: delays.max / 1e6,
    resident: megabytes('VmRSS'),
    peak: megabytes('VmHWM'),
  }
  before = process.cpuUsage()
  delays.reset()
  // Reset the peak.
  writeFileSync('/proc/self/clear_refs', '5')
  process.send?.(cost satisfies IntakeCost)
})
process.on('disconnect', () => void intake.close().then(() => process.exit()))
process.send?.({ url: intake.url })
