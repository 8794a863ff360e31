import { expect, it } from 'vitest'
import { hostileTexts, READERS } from './growth.fixture.ts'

// This length is just below the shortest line limit, so that no text is skipped.
const LENGTH = 3600
/** Milliseconds of processor time. A quadratic reader takes more than ten. */
const SUSPICIOUS = 3
/** Milliseconds of processor time, long enough for systems that count in coarse steps. */
const ENOUGH = 16

/** The processor time of several runs, because some systems count in steps of several milliseconds. */
const milliseconds = (run: () => unknown, runs = 1) => {
  const before = process.cpuUsage()
  for (let count = 0; count < runs; count++) run()
  return process.cpuUsage(before).user / 1000
}
/** Time per run, over as many runs as needed for a reliable measurement. */
const perRun = (run: () => unknown) => {
  let runs = 1
  let took = milliseconds(run, runs)
  while (took < ENOUGH) {
    runs *= 4
    took = milliseconds(run, runs)
  }
  return took / runs
}
const quickest = (run: () => unknown) => Math.min(...Array.from({ length: 4 }, () => milliseconds(run)))

/**
 * Measurements of a suspicious reader. Other load on the machine affects each measurement, but a quadratic reader is slow in all of them.
 */
const LOOKS = 6
/** For four times the text, the ratio is 4 for linear time and 16 for quadratic time. */
const TOO_FAST = 9

/** How many times longer a reader takes for the long text: the minimum of several measurements. */
function growthOf(readLong: () => unknown, readShort: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < LOOKS && least > TOO_FAST; look++)
    least = Math.min(least, perRun(readLong) / perRun(readShort))
  return least
}

it.each(Object.entries(READERS))('%s takes linear time for any text', { timeout: 400_000 }, (_, read) => {
  const short = new Map(hostileTexts(LENGTH / 4))
  const grown: string[] = []
  for (const [name, text] of hostileTexts(LENGTH)) {
    // The compiler makes one of the runs slower.
    if (quickest(() => read(text)) < SUSPICIOUS) continue
    const growth = growthOf(
      () => read(text),
      () => read(short.get(name) ?? ''),
    )
    if (growth > TOO_FAST) grown.push(`${name} ${growth.toFixed(1)}`)
  }
  expect(grown).toEqual([])
})
