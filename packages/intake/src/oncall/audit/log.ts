import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Directory } from '../../platform/accounts/directory.ts'
import type { Database } from '../../platform/database/database.ts'
import { appendRows, type NewAuditRow, ROWS_AT_A_TIME } from './append.ts'
import { type Cursors, createCursors } from './cursor.ts'

/** Every authenticated operation, in the order of their answers. */
export interface AuditLog {
  cursors: Cursors
  /** Takes a record. It is in the store within a tenth of a second, or with the next `flush`. */
  record(row: NewAuditRow): void
  /** Writes what was taken; a search that begins with it finds every request that was answered before. */
  flush(): Promise<void>
  /** Writes what was taken. Of what cannot be written it says how much is lost. */
  close(): Promise<void>
}

const FLUSH_MS = 100
const RETRY_MS = 1000
const MAX_WAITING = 50_000
const DAY_MS = 86_400_000
const RETENTION_MS = 3_600_000

/** Opens the log. What is older than its account's retention is forgotten now and once an hour. */
export async function openAuditLog(database: Database, directory: Directory, now: () => number): Promise<AuditLog> {
  const { db } = database
  let isClosed = false
  const forgetOld = async () => {
    for (const { id, auditRetentionDays } of directory.accounts.values()) {
      const boundary = retentionBoundary(auditRetentionDays, now())
      const old = db.selectFrom('audit_record').select('seq').where('account_id', '=', id)
      const some = old.where('created_at', '<', boundary).limit(ROWS_AT_A_TIME)
      const deleteSome = db.deleteFrom('audit_record').where('seq', 'in', some)
      while (!isClosed && (await deleteSome.executeTakeFirstOrThrow()).numDeletedRows > 0n) await setImmediate()
    }
  }
  await forgetOld()
  await db
    .insertInto('secret')
    .values({ name: 'audit-cursor', value: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await db
    .selectFrom('secret')
    .select('value')
    .where('name', '=', 'audit-cursor')
    .executeTakeFirstOrThrow()

  let taken: NewAuditRow[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  // Writing each record on its own would cost more than the operations do.
  const write = async () => {
    clearTimeout(timer)
    timer = undefined
    const rows = taken
    taken = []
    let written = 0
    try {
      while (written < rows.length) {
        const piece = pieceOf(rows, written)
        await appendRows(database, piece)
        written += piece.length
        if (written < rows.length) await setImmediate()
      }
    } catch (error) {
      // They are written with the next ones; as long as the database is away, only so many are kept.
      const waiting = [...rows.slice(written), ...taken]
      const lost = waiting.length - MAX_WAITING
      if (lost > 0) process.stderr.write(`intake: audit records lost: ${lost}, no more than ${MAX_WAITING} can wait\n`)
      taken = waiting.slice(-MAX_WAITING)
      timer ??= setTimeout(() => void flush().catch(complain), RETRY_MS)
      throw error
    }
  }
  const flush = () => {
    const written = writing.then(write)
    writing = written.catch(() => undefined)
    return written
  }
  const complain = (error: Error) => process.stderr.write(`intake: the audit log was not written: ${error.message}\n`)
  const retention = setInterval(() => {
    forgetOld().catch((error: Error) => process.stderr.write(`intake: old audit records: ${error.message}\n`))
  }, RETENTION_MS)
  retention.unref()
  return {
    cursors: createCursors(value),
    record(row) {
      if (isClosed) return
      taken.push(row)
      timer ??= setTimeout(() => void flush().catch(complain), FLUSH_MS)
    },
    flush,
    async close() {
      clearInterval(retention)
      isClosed = true
      // A full disk, or a database that is away, keeps nothing else from closing.
      await flush().catch((error: Error) => {
        clearTimeout(timer)
        process.stderr.write(`intake: audit records lost: ${taken.length}, ${error.message}\n`)
      })
    },
  }
}

/** Characters of the bodies and parameters that are written at once. */
const PIECE_LENGTH = 256 * 1024

/** What is written next: to write all that may wait would hold up whoever else does. */
function pieceOf(rows: readonly NewAuditRow[], from: number): NewAuditRow[] {
  let length = 0
  let to = from
  for (; to < rows.length && to - from < ROWS_AT_A_TIME && length < PIECE_LENGTH; to++) {
    const { body, params } = rows[to] as NewAuditRow
    length += body.length + params.length
  }
  return rows.slice(from, to)
}

/** Unix milliseconds. */
export function retentionBoundary(days: number, now: number): number {
  return now - days * DAY_MS
}
