import { expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import type { Directory } from '../../platform/accounts/directory.ts'
import { openDatabase } from '../../test-support/open-database.fixture.ts'
import { type NewAuditRow, openAuditLog } from './log.ts'

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

it('does not write records again that were written before a failed batch', async () => {
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
