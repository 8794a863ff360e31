import { type Expression, type SqlBool, sql } from 'kysely'
import Type from 'typebox'
import { Anything, Instant, OneOf, Optional } from '../platform/wire/schema.ts'
import { defineOperation } from './operation.ts'

const PLATFORMS = ['browser', 'android', 'ios'] as const
const ORDERS = ['created_at', 'updated_at'] as const

const Body = Type.Interface(
  [
    Optional({
      type: OneOf(PLATFORMS),
      services: Type.Array(Type.String(), { maxItems: 1000 }),
      versions: Type.Array(Type.String(), { maxItems: 1000 }),
      /** Part of a service, a version or a path. */
      query: Type.String(),
      build_id: Type.String(),
      uuid: Type.String(),
      p: Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1 }),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
      orderby: OneOf(ORDERS),
      asc: Type.Boolean(),
    }),
  ],
  /** Unix milliseconds, both included. */
  { start_time: Instant, end_time: Instant },
)

const Item = Type.Object({
  key: Type.String(),
  type: Type.String(),
  service: Type.String(),
  version: Type.String(),
  size: Instant,
  git_repository_url: Type.String(),
  git_commit_sha: Type.String(),
  created_at: Instant,
  updated_at: Instant,
  metadata: Anything,
})

/** Times in the request are Unix milliseconds, in the answer Unix seconds, as in the service's contract. */
export const sourcemapList = defineOperation({
  path: '/sourcemap/list',
  name: 'sourcemap:read:list',
  title: { en: 'List uploaded symbol files', zh: '查看符号文件列表' },
  body: Body,
  data: Type.Object({ total: Type.Integer(), items: Type.Array(Item) }),
  example: { start_time: 1712000000000, end_time: 1798700000000, type: 'browser', p: 1, limit: 20 },
  async run({ store: { db }, caller: { account } }, body) {
    const { start_time: start, end_time: end, type, services, versions, query, build_id: buildId, uuid } = body
    const { p: page = 1, limit = 20, orderby: orderBy = 'created_at', asc: ascending = false } = body
    let found = db
      .selectFrom('artifact')
      .where('account_id', '=', account.id)
      .where('created_at', '>=', start)
      .where('created_at', '<=', end)
    if (type) found = found.where('platform', '=', type)
    if (services?.length) found = found.where('service', 'in', services)
    if (versions?.length) found = found.where('version', 'in', versions)
    if (buildId) found = found.where('build_id', '=', buildId)
    if (uuid) found = found.where((eb) => contains(eb.ref('uuids'), uuid))
    if (query) {
      found = found.where((eb) =>
        eb.or([
          contains(eb.ref('service'), query),
          contains(eb.ref('version'), query),
          contains(eb.ref('path'), query),
        ]),
      )
    }
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
        key: [row.platform, row.service, row.version, row.path.replace(/^\//, '') || row.kind]
          .filter(Boolean)
          .join('/'),
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

/** Substring without regard to case; SQL's wildcards mean themselves. */
function contains(column: Expression<string | null>, part: string): Expression<SqlBool> {
  return sql<SqlBool>`instr(lower(${column}), lower(${part})) > 0`
}
