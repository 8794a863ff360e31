import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startS3 } from '../../../packages/intake/src/test-support/s3.fixture.ts'
import { fractionsOf } from '../../support/random.ts'
import { startCluster } from './cluster.ts'
import { faultsOf } from './faults.ts'
import { createIntake } from './intakes.ts'
import { startLoad } from './load.ts'
import { createOutcomes, type Row } from './outcomes.ts'

const INTAKES = 3
/** Share of its time that a fault lasts; then everything works again. */
const SHARE_BROKEN = 0.6
/** Milliseconds of a fault and of what follows, at least. */
const SLOT_MS = 5_000
const MINUTE_MS = 60_000

export interface Result {
  rows: Row[]
  /** Everything that was answered wrongly, each in a line. */
  details: string[]
  /** Acknowledged uploads that are not there. */
  missing: string[]
  /** What the intakes wrote on standard error. */
  complaints: string
  /** Faults that this machine cannot make. */
  notTried: string[]
}

/**
 * Uploads, stacks and JSON operations against three intakes over one PostgreSQL and one S3, which break in every way in turn, each about once a
 * minute, in the order of the seed.
 * @param minutes at least; each fault happens once in any case.
 * @param directory of files of its own.
 */
export async function runFaults(minutes: number, seed: number, directory: string): Promise<Result> {
  const random = fractionsOf(seed)
  const outcomes = createOutcomes()
  const [cluster, s3] = await Promise.all([startCluster(), startS3()])
  const log = join(directory, 'intakes.log')
  const blobs = s3.createAddress()
  const intakes = await Promise.all(Array.from({ length: INTAKES }, () => createIntake(cluster.url, blobs, log)))
  try {
    // One after another, as each brings the tables up to date.
    for (const intake of intakes) await intake.start()
    const urls = intakes.map(({ url }) => url)
    const load = startLoad(urls, random, outcomes)
    const { faults, notTried } = faultsOf({ cluster, s3, intakes, random })
    const slot = Math.max(SLOT_MS, MINUTE_MS / (faults.length + 1))
    const end = performance.now() + minutes * MINUTE_MS
    await sleep(slot)
    let left = [...faults]
    for (let isFirst = true; isFirst || performance.now() + slot < end; ) {
      if (left.length === 0) left = [...faults]
      const [{ name, breakFor }] = left.splice(Math.floor(random() * left.length), 1) as [(typeof faults)[number]]
      const over = performance.now() + slot
      outcomes.during(name)
      await breakFor(slot * SHARE_BROKEN)
      await sleep(Math.max(0, over - performance.now()))
      if (left.length === 0) isFirst = false
    }
    outcomes.during('none')
    await load.stop()
    const missing = await load.missing()
    outcomes.lost(missing.length)
    return {
      rows: outcomes.rows(),
      details: outcomes.details,
      missing,
      complaints: readFileSync(log, 'utf8'),
      notTried,
    }
  } finally {
    await Promise.all(intakes.map((intake) => intake.close()))
    await cluster.close()
    await s3.close()
  }
}
