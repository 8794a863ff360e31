import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linesOf, makeDirectory } from '@symup/core/internal'
import { t } from '@symup/core/text'
import { ContentLost, INDEX_PART } from '@symup/symbolicate'
import type { Transaction } from 'kysely'
import type { Tables } from '../../platform/database/schema.ts'
import { isHash } from './blobs.ts'
import type { Store } from './store.ts'

export type StoreCounts = Record<string, number>

/** Thrown if the store already contains data, because an import would mix old and new data. */
export class StoreNotEmpty extends Error {}

interface Manifest {
  format: 1
  counts: StoreCounts
  /** Hash of `records.ndjson`. */
  sha256: string
}

/** Tables in import order: each table refers only to tables before it. The columns determine how rows are sorted. */
const TABLES = [
  ['artifact', 'id'],
  ['part', 'artifact_id', 'name'],
  ['audit_record', 'seq'],
  ['escalation_rule', 'rule_id', 'channel_id'],
  ['automation_rule', 'rule_id'],
  ['automation_run', 'run_id'],
  ['resource', 'account_id', 'kind', 'id'],
  ['resource_revision', 'account_id'],
  ['incident', 'incident_id'],
  ['incident_event', 'seq'],
  ['secret', 'name'],
  ['seeded', 'account_id', 'kind', 'id'],
] as const
type TableName = (typeof TABLES)[number][0]
type Row = Record<string, unknown>

const AT_A_TIME = 500
const RECORDS = 'records.ndjson'
const MANIFEST = 'manifest.json'

/**
 * Exports a store to a directory: `records.ndjson`, `blobs/` and finally `manifest.json` with counts and hashes. The store must not change
 * during the export.
 * @throws if content is missing or damaged, or if the directory already contains an export.
 */
export async function exportStore({ db, blobs }: Store, directory: string): Promise<StoreCounts> {
  makeDirectory(join(directory, 'blobs'), 0o700)
  const counts: StoreCounts = {}
  const hash = createHash('sha256')
  const file = createWriteStream(join(directory, RECORDS), { flags: 'wx', mode: 0o600 })
  await once(file, 'open')
  const done = once(file, 'close')
  for (const [table, ...order] of TABLES) {
    counts[table] = 0
    for (let offset = 0; ; offset += AT_A_TIME) {
      const query = db.selectFrom(table as 'artifact').selectAll()
      const ordered = order.reduce((sorted, column) => sorted.orderBy(column as 'id'), query)
      const rows: Row[] = (await ordered.offset(offset).limit(AT_A_TIME).execute()) as unknown as Row[]
      // Indexes are not exported, because an intake can create them again.
      const kept = rows.filter(({ name }) => table !== 'part' || name !== INDEX_PART)
      for (const row of kept) {
        const line = `${JSON.stringify({ table, row })}\n`
        hash.update(line)
        if (!file.write(line)) await once(file, 'drain')
      }
      counts[table] += kept.length
      if (rows.length < AT_A_TIME) break
    }
  }
  file.end()
  await done
  counts.blobs = 0
  const contents = db.selectFrom('part').select('sha256').where('name', '!=', INDEX_PART)
  const used = await contents.distinct().orderBy('sha256').execute()
  for (const { sha256 } of used) {
    const target = join(directory, 'blobs', sha256)
    const copying = blobs.localPath(sha256).then((path) => copyFile(path, target))
    await copying.catch((error: unknown) => {
      throw error instanceof ContentLost ? new Error(t`The content of ${sha256} is missing or damaged.`) : error
    })
    counts.blobs++
  }
  const manifest: Manifest = { format: 1, counts, sha256: hash.digest('hex') }
  await writeFile(join(directory, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
  return counts
}

/**
 * Imports a store from an export. If the export differs from its manifest, no records are imported.
 * @throws StoreNotEmpty if the store contains data, or another error if the export is damaged or incomplete.
 */
export async function importStore(store: Store, directory: string): Promise<StoreCounts> {
  const { db, blobs } = store
  const manifest = await readManifest(directory)
  const used = await checkRecords(directory, manifest)
  for (const table of ['artifact', 'audit_record'] as const) {
    const rows = await db.selectFrom(table).select('account_id').limit(1).execute()
    if (rows.length > 0) throw new StoreNotEmpty(t`The store is not empty. Import the export into a new store.`)
  }
  for (const sha256 of used) {
    const staged = await blobs.stage(createReadStream(join(directory, 'blobs', sha256)))
    if (staged.sha256 !== sha256) {
      await blobs.discard(staged)
      throw new Error(t`The content of ${sha256} is damaged: its hash is ${staged.sha256}.`)
    }
    await store.record([staged], async () => undefined)
  }
  const counts: StoreCounts = Object.fromEntries(TABLES.map(([table]) => [table, 0]))
  await db.transaction().execute(async (transaction) => {
    let table: TableName | undefined
    let rows: Row[] = []
    const write = async () => {
      if (table !== undefined && rows.length > 0) await insert(store, transaction, table, rows)
      rows = []
    }
    // Deletes rows that the intake created from its seed, because the export contains newer versions of them.
    for (const [name] of [...TABLES].reverse()) await transaction.deleteFrom(name as 'artifact').execute()
    for await (const line of linesOf(join(directory, RECORDS))) {
      const next = JSON.parse(line) as { table: TableName; row: Row }
      if (next.table !== table || rows.length === AT_A_TIME) await write()
      table = next.table
      rows.push(next.row)
      counts[next.table] = (counts[next.table] ?? 0) + 1
    }
    await write()
    // Garbage collection may have deleted imported content in the meantime.
    const held = await transaction
      .selectFrom('blob')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('sha256', 'in', (eb) => eb.selectFrom('part').select('part.sha256'))
      .executeTakeFirstOrThrow()
    counts.blobs = held.count
    for (const [name, count] of Object.entries(manifest.counts)) {
      if (counts[name] !== count)
        throw new Error(
          t`The export contains ${count} records in the table ${name}, but the store contains ${counts[name] ?? 0}.`,
        )
    }
  })
  return counts
}

async function insert(
  { database }: Store,
  transaction: Transaction<Tables>,
  table: TableName,
  rows: Row[],
): Promise<void> {
  const taken = rows.map((row) => {
    if (table === 'artifact') return { ...row, identity: identityOf(database, String(row.identity)) }
    // The audit log assigns new sequence numbers.
    const { seq: _, ...rest } = row
    return rest
  })
  await transaction
    .insertInto(table as 'secret')
    .values(taken as unknown as { name: string; value: string }[])
    .execute()
}

/** PostgreSQL stores and exports only the hash of an identity. Hashing that hash would create a different artifact. */
function identityOf(database: Store['database'], identity: string): string {
  return isHash(identity) ? identity : database.identify(identity)
}

async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, MANIFEST), 'utf8')
  let manifest: Partial<Manifest> | null
  try {
    manifest = JSON.parse(text) as Partial<Manifest> | null
  } catch {
    throw new Error(t`${MANIFEST} is not valid JSON, so the export is damaged.`)
  }
  const { format, counts, sha256 } = manifest ?? {}
  if (format !== 1) throw new Error(t`The export format ${String(format).slice(0, 50)} is not supported.`)
  if (typeof counts !== 'object' || counts === null || sha256 === undefined)
    throw new Error(t`The export is damaged because ${MANIFEST} does not contain the record counts or the hash.`)
  return { format, counts, sha256 }
}

async function checkRecords(directory: string, { sha256, counts }: Manifest): Promise<Set<string>> {
  const hash = createHash('sha256')
  const used = new Set<string>()
  for await (const line of linesOf(join(directory, RECORDS))) hash.update(`${line}\n`)
  if (hash.digest('hex') !== sha256)
    throw new Error(t`The hash of ${RECORDS} differs from the hash in the manifest, so the export is damaged.`)
  for await (const line of linesOf(join(directory, RECORDS))) {
    const { table, row } = JSON.parse(line) as { table: string; row: Row }
    if (!TABLES.some(([name]) => name === table))
      throw new Error(t`The export contains an unknown table: ${table.slice(0, 50)}.`)
    if (table !== 'part') continue
    if (!isHash(String(row.sha256))) throw new Error(t`The export is damaged because the hash of a part is missing.`)
    used.add(String(row.sha256))
  }
  if (used.size !== counts.blobs) throw new Error(t`The export declares ${counts.blobs} files, but lists ${used.size}.`)
  return used
}
