import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/**
 * Measures how long one turn of this thread's event loop takes, in milliseconds of processor time. Unlike wall time,
 * processor time does not depend on other work on the machine.
 */
export class CpuBlocks {
  #longest = 0
  #isWatching = true
  readonly #watching = this.#watch()

  /** The longest turn of the event loop since the last call. */
  take(): number {
    const longest = this.#longest
    this.#longest = 0
    return longest
  }

  async stop(): Promise<void> {
    this.#isWatching = false
    await this.#watching
  }

  async #watch(): Promise<void> {
    for (let before = mainThreadMs(); this.#isWatching; ) {
      await setImmediate()
      const now = mainThreadMs()
      this.#longest = Math.max(this.#longest, now - before)
      before = now
    }
  }
}

/** Linux measures each thread. Other systems measure all threads, but hardly anything except the watcher runs. */
function mainThreadMs(): number {
  if (process.platform === 'linux') return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
