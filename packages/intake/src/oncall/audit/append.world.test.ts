import { expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'
import { kept, ROWS, rowOf } from './append.fixture.ts'

const place = useDirectory()

it.runIf(postgresPrograms())('PostgreSQL keeps audit records, but for what its texts cannot hold', async () => {
  const postgres = await startPostgres()
  try {
    expect(await kept(ROWS, place, await postgres.createDatabase())).toEqual(ROWS)
    const [row] = await kept([rowOf(1, 'a \0 b \ud800 c')], place, await postgres.createDatabase())
    expect(row?.body).toBe('a \ufffd b \ufffd c')
  } finally {
    await postgres.close()
  }
})
