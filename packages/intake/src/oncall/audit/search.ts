import type { Selectable } from 'kysely'
import type { AuditRow } from '../../platform/database/schema.ts'
import { checkSpan, invalidParameter } from '../../platform/errors.ts'
import { contracted } from '../../platform/wire/contract.ts'
import { toInt64 } from '../../platform/wire/int64.ts'
import { Instant, Optional, Type, UnsignedId } from '../../platform/wire/schema.ts'
import { defineOperation } from '../operation.ts'
import { retentionBoundary } from './log.ts'

export const auditOperationList = defineOperation({
  path: '/audit/operation/list',
  name: 'audit:read:operation-list',
  title: { en: 'List auditable operation types', zh: '查看审计操作类型' },
  permissions: ['Audit Read'],
  isBodyOptional: true,
  body: Type.Object({}),
  data: contracted('AuditOperationListResponse'),
  example: {},
  run: ({ titles }) => ({ items: [...titles].map(([name, { zh }]) => ({ name, name_cn: zh })) }),
})

const DEFAULT_LIMIT = 20
/** The cursor is the sequence number of the last record on the page. */
const CURSOR = /^\d{1,15}$/

const Body = Type.Extended(
  Optional({
    /** If the value is 0, the default is used. */
    limit: Type.Integer({ minimum: 0, maximum: 99, default: DEFAULT_LIMIT }),
    request_id: Type.String(),
    search_after_ctx: Type.String(),
    operations: Type.Array(Type.String(), { maxItems: 1000 }),
    person_id: UnsignedId,
    /** If true, only dangerous operations are returned. `false` has no effect. */
    is_dangerous: Type.Boolean(),
    /** If true, only write operations are returned. If false, only read operations are returned. */
    is_write: Type.Boolean(),
  }),
  /** Inclusive range of Unix timestamps in seconds. */
  { start_time: Instant, end_time: Instant },
)

/** Pages neither repeat nor skip records, because new records never appear after the cursor. */
export const auditSearch = defineOperation({
  path: '/audit/search',
  name: 'audit:read:search',
  title: { en: 'Search audit logs', zh: '搜索审计日志' },
  permissions: ['Audit Read'],
  body: Body,
  data: contracted('AuditSearchResponse'),
  example: { start_time: 1767225600, end_time: 1774915200, limit: 20, is_write: true },
  async run({ database, audit, caller: { account }, language, titles, now }, body) {
    const { start_time: start, end_time: end, search_after_ctx: cursor } = body
    checkSpan(start, end, { days: 90, perDay: 86_400 })
    if (cursor && !CURSOR.test(cursor)) throw invalidParameter('search_after_ctx')
    await audit.flush()

    const oldest = Math.max(start * 1000, retentionBoundary(account.auditRetentionDays, now()))
    const limit = body.limit || DEFAULT_LIMIT
    let found = database.scans
      .selectFrom('audit_record')
      .where('account_id', '=', account.id)
      .where('created_at', '>=', oldest)
      .where('created_at', '<', (end + 1) * 1000)
    if (body.request_id) found = found.where('request_id', '=', body.request_id)
    if (body.operations?.length) found = found.where('operation', 'in', body.operations)
    if (body.person_id !== undefined) found = found.where('member_id', '=', String(body.person_id))
    if (body.is_dangerous) found = found.where('is_dangerous', '=', 1)
    if (body.is_write !== undefined) found = found.where('is_write', '=', body.is_write ? 1 : 0)
    const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    if (cursor) found = found.where('seq', '<', Number(cursor))
    const rows = await found
      .selectAll()
      .orderBy('seq', 'desc')
      .limit(limit + 1)
      .execute()
    const docs = rows.slice(0, limit)
    const last = docs.at(-1)
    return {
      total,
      search_after_ctx: last && rows.length > limit ? String(last.seq) : '',
      docs: docs.map((row) => toRecord(row, titles.get(row.operation)?.[language] ?? row.operation)),
    }
  },
})

function toRecord({ seq: _, ...row }: Selectable<AuditRow>, title: string) {
  return {
    ...row,
    member_id: toInt64(row.member_id),
    operation_name: title,
    params: JSON.parse(row.params),
    is_dangerous: row.is_dangerous === 1,
    is_write: row.is_write === 1,
  }
}
