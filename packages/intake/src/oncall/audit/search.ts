import type { Selectable } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { AuditRow } from '../../platform/database/schema.ts'
import { checkSpan, invalidParameter } from '../../platform/errors.ts'
import { contracted } from '../../platform/wire/contract.ts'
import { toInt64 } from '../../platform/wire/int64.ts'
import { Instant, Optional, type Static, Type, UnsignedId } from '../../platform/wire/schema.ts'
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

const Body = Type.Extended(
  Optional({
    /** 0 means absent. */
    limit: Type.Integer({ minimum: 0, maximum: 99, default: DEFAULT_LIMIT }),
    request_id: Type.String(),
    search_after_ctx: Type.String(),
    operations: Type.Array(Type.String(), { maxItems: 1000 }),
    person_id: UnsignedId,
    /** True finds only dangerous operations; false does not filter. */
    is_dangerous: Type.Boolean(),
    /** True finds only writes, false only reads. */
    is_write: Type.Boolean(),
  }),
  /** Unix seconds, both inclusive. */
  { start_time: Instant, end_time: Instant },
)

/** Newest first. Later records never appear on later pages, so pages neither repeat nor skip records. */
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
    const after = cursor ? audit.cursors.read(account.id, cursor) : undefined
    if (cursor && after === undefined) throw invalidParameter('search_after_ctx')
    await audit.flush()

    const oldest = Math.max(start * 1000, retentionBoundary(account.auditRetentionDays, now()))
    const limit = body.limit || DEFAULT_LIMIT
    const { total, rows } = await find(database, account.id, { start: oldest, end: (end + 1) * 1000 }, body, {
      before: after,
      limit: limit + 1,
    })
    const docs = rows.slice(0, limit)
    const last = docs.at(-1)
    return {
      total,
      search_after_ctx: last && rows.length > limit ? audit.cursors.sign(account.id, last.seq) : '',
      docs: docs.map((row) => toRecord(row, titles.get(row.operation)?.[language] ?? row.operation)),
    }
  },
})

/**
 * The number of matching records from `start` (inclusive) to `end` (exclusive), in Unix milliseconds, and the newest
 * `limit` of those with `seq` below `before`.
 */
async function find(
  database: Database,
  accountId: number,
  { start, end }: { start: number; end: number },
  filter: Static<typeof Body>,
  { before, limit }: { before: number | undefined; limit: number },
) {
  let found = database.scans
    .selectFrom('audit_record')
    .where('account_id', '=', accountId)
    .where('created_at', '>=', start)
    .where('created_at', '<', end)
  if (filter.request_id) found = found.where('request_id', '=', filter.request_id)
  if (filter.operations?.length) found = found.where('operation', 'in', filter.operations)
  if (filter.person_id !== undefined) found = found.where('member_id', '=', String(filter.person_id))
  if (filter.is_dangerous) found = found.where('is_dangerous', '=', 1)
  if (filter.is_write !== undefined) found = found.where('is_write', '=', filter.is_write ? 1 : 0)
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  if (before !== undefined) found = found.where('seq', '<', before)
  return { total, rows: await found.selectAll().orderBy('seq', 'desc').limit(limit).execute() }
}

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
