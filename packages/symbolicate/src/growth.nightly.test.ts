import { expect, it } from 'vitest'
import { hostileTexts, READERS } from './growth.fixture.ts'

// Just below the shortest limit of a line, so that no text is passed over.
const LENGTH = 3600
/** Milliseconds of processor time; a reader that is quadratic takes more than ten. */
const SUSPICIOUS = 3
/** Milliseconds of processor time, several of the steps in which it may be counted. */
const ENOUGH = 16

/** Of processor time, for so many runs: some systems count it in steps of several milliseconds. */
const milliseconds = (run: () => unknown, runs = 1) => {
  const before = process.cpuUsage()
  for (let count = 0; count < runs; count++) run()
  return process.cpuUsage(before).user / 1000
}
/** For one run, of as many as take long enough. */
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

/** Of looks at a reader that is suspicious. What else the machine does is in each figure, and a reader that is quadratic is so each time. */
const LOOKS = 6
/** Four times the text: 4 when the time grows with the text, 16 when it grows with its square. */
const TOO_FAST = 9

/** How many times as long a reader takes for the long text: the least of several looks. */
function growthOf(readLong: () => unknown, readShort: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < LOOKS && least > TOO_FAST; look++)
    least = Math.min(least, perRun(readLong) / perRun(readShort))
  return least
}

it.each(Object.entries(READERS))(
  '%s takes twice the time for twice the text, whatever it is',
  { timeout: 400_000 },
  (_, read) => {
    const short = new Map(hostileTexts(LENGTH / 4))
    const grown: string[] = []
    for (const [name, text] of hostileTexts(LENGTH)) {
      // Compilation makes one run slower.
      if (quickest(() => read(text)) < SUSPICIOUS) continue
      const growth = growthOf(
        () => read(text),
        () => read(short.get(name) ?? ''),
      )
      if (growth > TOO_FAST) grown.push(`${name} ${growth.toFixed(1)}`)
    }
    expect(grown).toEqual([])
  },
)
