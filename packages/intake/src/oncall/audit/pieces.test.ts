import { expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import type { Directory } from '../../platform/accounts/directory.ts'
import { openDatabase } from '../../test-support/open-database.fixture.ts'
import { openTestIntake } from '../../testing.ts'
import { appendRows, type NewAuditRow, openAuditLog } from './log.ts'

const place = useDirectory('each')

const START = Math.floor(Date.now() / 1000) * 1000 - 3_600_000
const rowOf = (nth: number, more: Partial<NewAuditRow> = {}): NewAuditRow => ({
  account_id: 10023,
  created_at: START + nth,
  member_id: '80011',
  member_name: 'Alice',
  request_id: `r${nth}`,
  ip: '127.0.0.1',
  operation: 'channel:read:list',
  body: '{}',
  params: '[]',
  is_dangerous: 0,
  is_write: nth % 1000 === 0 ? 1 : 0,
  ...more,
})

it('pending records are written in batches: those written before a failure are not written again', async () => {
  const database = await openDatabase(place)
  const log = await openAuditLog(database, { accounts: new Map() } as unknown as Directory, Date.now)
  const count = async () => (await database.db.selectFrom('audit_record').select('seq').execute()).length
  for (let nth = 0; nth < 2500; nth++) log.record(rowOf(nth, nth === 1500 ? { ip: null as unknown as string } : {}))
  await expect(log.flush()).rejects.toThrow(/NOT NULL/)
  expect(await count()).toBe(1400)
  await expect(log.flush()).rejects.toThrow(/NOT NULL/)
  expect(await count()).toBe(1400)
  await log.close().catch(() => undefined)
  await database.close()
})

it('a search over many records finds all of them, newest first, even if the clock was set back', async () => {
  const database = await openDatabase(place)
  const rows = Array.from({ length: 9000 }, (_, nth) => rowOf(nth))
  // More records at one time than fit into a piece, and two later ones.
  const same = Array.from({ length: 4500 }, (_, nth) => rowOf(20_000, { request_id: `same${nth}`, is_write: 0 }))
  const late = [rowOf(1, { request_id: 'late1', is_write: 1 }), rowOf(5000, { request_id: 'late2', is_write: 1 })]
  await appendRows(database, [...rows, ...same, ...late])
  await database.close()
  const intake = await openTestIntake({ dataDir: place, listen: false })
  try {
    const window = { start_time: START / 1000 - 1, end_time: START / 1000 + 25, limit: 8 }
    const { data: first } = await intake.call('/audit/search', window)
    expect(first.total).toBe(13_502)
    const ids = (docs: { request_id: string }[]) => docs.map(({ request_id }) => request_id)
    const last = Array.from({ length: 14 }, (_, nth) => `same${4499 - nth}`)
    expect(ids(first.docs)).toEqual(['late2', 'late1', ...last.slice(0, 6)])
    const { data: second } = await intake.call('/audit/search', { ...window, search_after_ctx: first.search_after_ctx })
    expect(second.total).toBeGreaterThanOrEqual(13_502)
    expect(ids(second.docs)).toEqual(last.slice(6, 14))
    const found: string[] = []
    for (let search_after_ctx = ''; ; ) {
      const { data } = await intake.call('/audit/search', { ...window, is_write: true, limit: 4, search_after_ctx })
      expect(data.total).toBe(11)
      found.push(...ids(data.docs))
      search_after_ctx = data.search_after_ctx
      if (search_after_ctx === '') break
    }
    expect(found).toEqual(['late2', 'late1', ...[8, 7, 6, 5, 4, 3, 2, 1, 0].map((nth) => `r${nth * 1000}`)])
  } finally {
    await intake.close()
  }
})
