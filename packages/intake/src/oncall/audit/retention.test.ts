import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { DEFAULT_SEED } from '../../index.ts'
import { createDirectory } from '../../platform/accounts/directory.ts'
import { openDatabase } from '../../test-support/open-database.fixture.ts'
import { openAuditLog } from './log.ts'

const HOUR_MS = 3_600_000

it('deletes old records while the intake runs, not only at startup', async () => {
  const place = mkdtempSync(join(tmpdir(), 'symup-audit-'))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const directory = createDirectory(DEFAULT_SEED)
  const [account] = directory.accounts.values()
  if (!account) throw new Error('the seed has no account')
  let now = Date.UTC(2026, 0, 1)
  const database = await openDatabase(place)
  const log = await openAuditLog(database, directory, () => now)
  try {
    const record = {
      account_id: account.id,
      created_at: now,
      member_id: 1,
      member_name: 'm',
      request_id: 'r',
      ip: '127.0.0.1',
      operation: 'channel:read:list',
      is_dangerous: 0,
      is_write: 0,
      body: '{}',
      params: '',
    }
    log.record(record as unknown as Parameters<typeof log.record>[0])
    await log.flush()
    const count = async () => (await database.db.selectFrom('audit_record').select('created_at').execute()).length
    vi.advanceTimersByTime(HOUR_MS)
    expect(await count()).toBe(1)
    now += (account.auditRetentionDays + 1) * 24 * HOUR_MS
    expect(await count()).toBe(1)
    vi.advanceTimersByTime(HOUR_MS)
    await vi.waitFor(async () => expect(await count()).toBe(0))
  } finally {
    vi.useRealTimers()
    await log.close()
    await database.close()
    rmSync(place, { recursive: true })
  }
})
