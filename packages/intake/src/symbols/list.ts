import { textOf } from '@symup/core/internal'
import { urlHost } from '@symup/core/resolving'
import { sql } from 'kysely'
import { contains } from '../platform/database/contains.ts'
import type { ArtifactRow } from '../platform/database/schema.ts'
import { checkSpan } from '../platform/errors.ts'
import { contracted } from '../platform/wire/contract.ts'
import { Instant, OneOf, Optional, Type } from '../platform/wire/schema.ts'
import { defineOperation } from './operation.ts'

/** Types in the service's contract. By default, only these types are listed. */
const CONTRACT_TYPES = ['browser', 'android', 'ios'] as const
const TYPES = [...CONTRACT_TYPES, 'miniprogram', 'harmony'] as const
const SEARCHED = ['service', 'version', 'path', 'file_name', 'build_id', 'debug_id', 'uuids'] as const
const LIMIT = 20
const ORDERS = ['created_at', 'updated_at'] as const

const Body = Type.Extended(
  Optional({
    type: OneOf(TYPES),
    services: Type.Array(Type.String(), { maxItems: 1000 }),
    versions: Type.Array(Type.String(), { maxItems: 1000 }),
    /** Substring of a service, version, path, file name, build id, debug id or UUID. */
    query: Type.String(),
    build_id: Type.String(),
    uuid: Type.String(),
    p: Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1 }),
    /** If the value is less than 1, the default is used. */
    limit: Type.Integer({ maximum: 100, default: LIMIT }),
    orderby: OneOf(ORDERS),
    asc: Type.Boolean(),
  }),
  /** Inclusive range of Unix timestamps in milliseconds. At most 365 days. */
  { start_time: Instant, end_time: Instant },
)

const Item = contracted('SourcemapItem', { type: OneOf(TYPES) })

/** As in the service's contract, times are Unix milliseconds in requests but Unix seconds in responses. */
export const sourcemapList = defineOperation({
  path: '/sourcemap/list',
  name: 'sourcemap:read:list',
  title: { en: 'List uploaded symbol files', zh: '查看符号文件列表' },
  body: Body,
  data: contracted('SourcemapListResponse', { items: Type.Array(Item) }),
  example: { start_time: 1767225600000, end_time: 1798700000000, type: 'browser', p: 1, limit: 20 },
  async run({ store: { database }, caller: { account } }, body) {
    const { start_time: start, end_time: end, type, services, versions, query, build_id: buildId, uuid } = body
    const { p: page = 1, orderby: orderBy = 'created_at', asc: ascending = false } = body
    const limit = (body.limit ?? 0) > 0 ? (body.limit as number) : LIMIT
    checkSpan(start, end, { days: 365, perDay: 86_400_000 })
    let found = database.scans
      .selectFrom('artifact')
      .where('account_id', '=', account.id)
      .where('created_at', '>=', start)
      .where('created_at', '<=', end)
    found = type ? found.where('platform', '=', type) : found.where('platform', 'in', CONTRACT_TYPES)
    if (services?.length) found = found.where('service', 'in', services)
    if (versions?.length) found = found.where('version', 'in', versions)
    // Crash reports contain ids in uppercase or lowercase, and UUIDs with or without dashes.
    if (buildId) found = found.where((eb) => eb.fn<string>('lower', ['build_id']), '=', buildId.toLowerCase())
    if (uuid) found = found.where(contains([sql<string | null>`replace(uuids, '-', '')`], uuid.replaceAll('-', '')))
    if (query) found = found.where(contains(SEARCHED, query))
    const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    const rows = await found
      .selectAll()
      .orderBy(orderBy, ascending ? 'asc' : 'desc')
      .orderBy('id', ascending ? 'asc' : 'desc')
      .offset((page - 1) * limit)
      .limit(limit)
      .execute()
    return {
      total,
      items: rows.map((row) => ({
        key: keyOf(row),
        type: row.platform,
        service: row.service,
        version: row.version,
        size: row.size,
        git_repository_url: row.git_repository_url ?? '',
        git_commit_sha: row.git_commit_sha ?? '',
        created_at: Math.floor(row.created_at / 1000),
        updated_at: Math.floor(row.updated_at / 1000),
        metadata: JSON.parse(row.event),
      })),
    }
  },
})

/** Within a release, a script is identified by its host and path. Other kinds of files may have the same host and path. */
function keyOf({ id, kind, platform, service, version, path, file_name, event }: ArtifactRow): string {
  const address = textOf(JSON.parse(event), 'minified_url')
  const host = kind === 'js_sourcemap' && address !== undefined ? (urlHost(address) ?? '') : ''
  const place = `${host}${path}`.replace(/^\//, '')
  const isPlace = kind === 'js_sourcemap' && [place, service, version].every((part) => part !== '')
  return [platform, service, version, place || file_name || kind, isPlace ? '' : id].filter(Boolean).join('/')
}
