import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { openDatabase } from '../../test-support/open-database.fixture.ts'
import type { Database } from './database.ts'
import { asOutage } from './outage.ts'

const place = useDirectory('each')
let database: Database
beforeEach(async () => {
  database = await openDatabase(place)
  await sql`create table note (nth integer not null, text text not null)`.execute(database.db)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await database.close()
})

const endless = sql`with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n`
const scan = async (query: RawBuilder<unknown>) => (await query.execute(database.scans)).rows
const failure = (done: Promise<unknown>) => done.then(() => undefined).catch((error) => error)

it('scans all rows committed before in order', async () => {
  for (let nth = 0; nth < 300; nth++) await sql`insert into note values (${nth}, ${'x'})`.execute(database.db)
  const found = await scan(sql`select nth, text as t from note where text = ${'x'} order by nth desc`)
  expect(found).toEqual(Array.from({ length: 300 }, (_, nth) => ({ nth: 299 - nth, t: 'x' })))
  await sql`delete from note where nth > 0`.execute(database.db)
  expect(await scan(sql`select nth from note`)).toEqual([{ nth: 0 }])
})

it('does not wait for a transaction during a scan, and sees none of its rows', async () => {
  await database.db.transaction().execute(async (transaction) => {
    await sql`insert into note values (1, 'x')`.execute(transaction)
    expect(await scan(sql`select nth from note`)).toEqual([])
  })
  expect(await scan(sql`select nth from note`)).toEqual([{ nth: 1 }])
})

it('fails like any query during a scan, and writes nothing', async () => {
  const missing = sql`select * from nothing`
  expect(await failure(scan(missing))).toMatchObject({ code: 'SQLITE_ERROR', message: /no such table: nothing/ })
  expect(await failure(missing.execute(database.db))).toMatchObject({ code: 'SQLITE_ERROR' })
  expect(await failure(scan(sql`insert into note values (1, 'x') returning nth`))).toBeInstanceOf(Error)
  expect(await failure(database.scans.transaction().execute(async () => undefined))).toBeInstanceOf(Error)
  expect(await scan(sql`select * from note`)).toEqual([])
})

it('ends a scan that takes too long together with waiting scans, while other queries are answered', async () => {
  const long = failure(scan(endless))
  expect(await scan(sql`select 1 as one`)).toEqual([{ one: 1 }])
  const others = [failure(scan(endless)), failure(scan(sql`select 1 as one`))]
  const now = performance.now() + 60_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  for (const error of await Promise.all([long, ...others])) {
    expect(error).toMatchObject({ code: 'SQLITE_INTERRUPT' })
    expect(asOutage(error)).toMatchObject({ code: 'ServiceUnavailable', headers: { 'Retry-After': '1' } })
  }
  expect(await scan(sql`select 1 as one`)).toEqual([{ one: 1 }])
})

it('ends scans when the database closes', async () => {
  const long = failure(scan(endless))
  await database.scans.destroy()
  expect(await long).toMatchObject({ code: 'SQLITE_INTERRUPT' })
})

it('accepts any number of different queries', async () => {
  for (let nth = 0; nth < 250; nth++)
    expect(await scan(sql.raw(`select ${nth} as nth`) as RawBuilder<unknown>)).toEqual([{ nth }])
})
