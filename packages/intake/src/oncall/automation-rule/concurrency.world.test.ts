import { afterAll, beforeAll, describe } from 'vitest'
import { type Postgres, postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'
import { describeConcurrency } from './concurrency.fixture.ts'

describe.runIf(postgresPrograms())('two intakes', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.close())

  describeConcurrency('PostgreSQL', () => postgres.createDatabase())
})
