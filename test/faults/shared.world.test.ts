import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { postgresPrograms } from '../../packages/intake/src/test-support/postgres.fixture.ts'
import { needs } from '../support/tool.ts'
import { runFaults } from './shared/run.ts'
import { tableOf } from './shared/table.ts'

const postgresql = needs('PostgreSQL', postgresPrograms() !== undefined, 'Debian: postgresql')
const SEED = 20260101

it.runIf(postgresql.isThere)(
  `a minute in which PostgreSQL, S3, disks, clocks and intakes break: nothing is lost, and no answer is wrong${postgresql.reason}`,
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'symup-faults-'))
    try {
      const { rows, details, missing, notTried } = await runFaults(1, SEED, directory)
      console.log(tableOf(rows))
      for (const name of notTried) console.log(`not tried, as this machine does not permit it: ${name}`)
      expect({ details, missing }).toEqual({ details: [], missing: [] })
      expect(rows.length + notTried.length).toBe(13)
      expect(rows.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThan(300)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  },
  600_000,
)
