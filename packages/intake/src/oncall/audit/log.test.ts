import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { Directory } from '../../platform/accounts/directory.ts'
import { openDatabase } from '../../test-support/open-database.fixture.ts'
import { type AuditLog, type NewAuditRow, openAuditLog } from './log.ts'

const NOBODY = { accounts: new Map() } as unknown as Directory

/** A log whose database is unavailable. */
async function withoutDatabase(
  use: (log: AuditLog, stderr: ReturnType<typeof vi.spyOn>) => Promise<void>,
): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'symup-audit-'))
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const database = await openDatabase(place)
  const log = await openAuditLog(database, NOBODY, Date.now)
  await database.close()
  try {
    await use(log, stderr)
  } finally {
    await log.close()
    stderr.mockRestore()
    rmSync(place, { recursive: true })
  }
}

it('closes the audit log even if the last records cannot be written, and reports the loss', () =>
  withoutDatabase(async (log, stderr) => {
    log.record({ body: '', params: '' } as NewAuditRow)
    await log.close()
    expect(stderr).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^intake: audit records lost: 1, ./))
  }))

it('reports how many records are lost if the database is unavailable for long', () =>
  withoutDatabase(async (log, stderr) => {
    for (let nth = 0; nth < 50_003; nth++) log.record({ body: '', params: '' } as NewAuditRow)
    await expect(log.flush()).rejects.toThrow()
    expect(stderr).toHaveBeenCalledWith('intake: audit records lost: 3, because at most 50000 can wait\n')
  }))
