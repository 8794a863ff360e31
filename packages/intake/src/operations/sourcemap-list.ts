import { type Expression, type SqlBool, sql } from 'kysely'
import type { Store } from '../store/store.ts'
import { type Body, flag, oneOf, text, texts, wholeNumber } from './body.ts'

const PLATFORMS = ['browser', 'android', 'ios'] as const
const ORDERS = ['created_at', 'updated_at'] as const

/** `POST /sourcemap/list`; times in the request are Unix milliseconds, in the answer Unix seconds, as in the service's contract. */
export async function listSourcemaps({ db }: Store, accountId: number, body: Body): Promise<object> {
  const start = wholeNumber(body, 'start_time', { required: true })
  const end = wholeNumber(body, 'end_time', { required: true })
  const type = oneOf(body, 'type', PLATFORMS)
  const services = texts(body, 'services')
  const versions = texts(body, 'versions')
  const query = text(body, 'query')
  const buildId = text(body, 'build_id')
  const uuid = text(body, 'uuid')
  const page = wholeNumber(body, 'p', { least: 1 }) ?? 1
  const limit = wholeNumber(body, 'limit', { least: 1, most: 100 }) ?? 20
  const orderBy = oneOf(body, 'orderby', ORDERS) ?? 'created_at'
  const ascending = flag(body, 'asc') ?? false

  let found = db
    .selectFrom('artifact')
    .where('account_id', '=', accountId)
    .where('created_at', '>=', start)
    .where('created_at', '<=', end)
  if (type) found = found.where('platform', '=', type)
  if (services?.length) found = found.where('service', 'in', services)
  if (versions?.length) found = found.where('version', 'in', versions)
  if (buildId) found = found.where('build_id', '=', buildId)
  if (uuid) found = found.where((eb) => contains(eb.ref('uuids'), uuid))
  if (query) {
    found = found.where((eb) =>
      eb.or([contains(eb.ref('service'), query), contains(eb.ref('version'), query), contains(eb.ref('path'), query)]),
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
      key: [row.platform, row.service, row.version, row.path.replace(/^\//, '') || row.kind].filter(Boolean).join('/'),
      type: row.platform,
      service: row.service,
      version: row.version,
      size: row.size,
      git_repository_url: row.git_repository_url ?? '',
      git_commit_sha: row.git_commit_sha ?? '',
      created_at: Math.floor(row.created_at / 1000),
      updated_at: Math.floor(row.updated_at / 1000),
      metadata: JSON.parse(row.event) as object,
    })),
  }
}

/** Substring without regard to case; SQL's wildcards mean themselves. */
function contains(column: Expression<string | null>, part: string): Expression<SqlBool> {
  return sql<SqlBool>`instr(lower(${column}), lower(${part})) > 0`
}
