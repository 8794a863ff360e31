import { setImmediate } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Insertable } from 'kysely'
import type { Directory } from '../../platform/accounts/directory.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AuditRow } from '../../platform/database/schema.ts'
import { maskedBody, maskedValue } from '../../platform/http/mask.ts'
import { inPartsOf } from '../../platform/in-parts-of.ts'
import type { Call, Operation } from '../../platform/operation.ts'

export type NewAuditRow = Insertable<AuditRow>

/** Maximum number of rows per statement. Larger statements would block other requests. */
const ROWS_AT_A_TIME = 200

/** Ensures that a record never becomes visible after a record with a higher `seq`. */
export async function appendRows(database: Database, rows: readonly NewAuditRow[]): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    // Databases assign sequence numbers before the commit. Without a lock, record 8 could become visible before record 7.
    await database.serialize(transaction, 'audit')
    for (const some of inPartsOf(ROWS_AT_A_TIME, rows))
      await transaction.insertInto('audit_record').values(some).execute()
  })
}

const MAX_PARAMS = 20

/** The recorded parameters do not include the app key. */
export function auditRow(
  request: FastifyRequest,
  { caller, ip, now }: Call,
  { name, isDangerous }: Operation,
): NewAuditRow {
  const params = [
    ...Object.entries(request.params as Record<string, string>),
    ...Object.entries(request.query as Record<string, unknown>).filter(([key]) => key !== 'app_key'),
  ].slice(0, MAX_PARAMS)
  return {
    account_id: caller.account.id,
    created_at: now(),
    member_id: String(caller.member.id),
    member_name: caller.member.name,
    request_id: request.id,
    ip,
    operation: name,
    body: maskedBody(request.body),
    params: JSON.stringify(params.map(([Key, value]) => ({ Key, Value: maskedValue(Key, String(value)) }))),
    is_dangerous: isDangerous ? 1 : 0,
    is_write: name.includes(':write:') ? 1 : 0,
  }
}

const FLUSH_MS = 100
const RETRY_MS = 1000
const MAX_WAITING = 50_000
const DAY_MS = 86_400_000
const RETENTION_MS = 3_600_000

export type AuditLog = Awaited<ReturnType<typeof openAuditLog>>

/** Records every authenticated operation in the order of the responses. Expired records are deleted at startup and then once an hour. */
export async function openAuditLog(database: Database, directory: Directory, now: () => number) {
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

  let taken: NewAuditRow[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  // Records are written in batches. Writing each record separately would cost more than the operation itself.
  const write = async () => {
    clearTimeout(timer)
    timer = undefined
    try {
      // Writing all records at once would block other requests.
      for (let left = taken.length; left > 0; left -= ROWS_AT_A_TIME) {
        const piece = taken.slice(0, ROWS_AT_A_TIME)
        await appendRows(database, piece)
        taken = taken.slice(piece.length)
        await setImmediate()
      }
    } catch (error) {
      // Failed writes are retried with the next batch. If the database is unavailable for a long time, the oldest records are lost.
      const lost = taken.length - MAX_WAITING
      if (lost > 0)
        process.stderr.write(`intake: audit records lost: ${lost}, because at most ${MAX_WAITING} can wait\n`)
      taken = taken.slice(-MAX_WAITING)
      timer ??= setTimeout(() => void flush().catch(complain), RETRY_MS)
      throw error
    }
  }
  const flush = () => {
    const written = writing.then(write)
    writing = written.catch(() => undefined)
    return written
  }
  const complain = (error: Error) => process.stderr.write(`intake: could not write the audit log: ${error.message}\n`)
  const retention = setInterval(() => {
    forgetOld().catch((error: Error) =>
      process.stderr.write(`intake: could not delete old audit records: ${error.message}\n`),
    )
  }, RETENTION_MS)
  retention.unref()
  return {
    /** Stores the record within a tenth of a second, or on the next `flush`. */
    record(row: NewAuditRow) {
      if (isClosed) return
      taken.push(row)
      timer ??= setTimeout(() => void flush().catch(complain), FLUSH_MS)
    },
    /** Writes all pending records. Searches call this first, so that they find every completed request. */
    flush,
    /** Writes all pending records and logs how many could not be stored. */
    async close() {
      clearInterval(retention)
      isClosed = true
      // Closing must not fail, even if the disk is full or the database is unavailable.
      await flush().catch((error: Error) => {
        clearTimeout(timer)
        process.stderr.write(`intake: audit records lost: ${taken.length}, ${error.message}\n`)
      })
    },
  }
}

/** @returns the cutoff as a Unix time in milliseconds. Earlier records have expired. */
export function retentionBoundary(days: number, now: number): number {
  return now - days * DAY_MS
}
