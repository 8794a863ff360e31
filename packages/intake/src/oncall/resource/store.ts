import type { Transaction } from 'kysely'
import { type Directory, peopleOf } from '../../platform/accounts/directory.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ResourceKind, Tables } from '../../platform/database/schema.ts'
import { withoutSecrets } from '../../platform/secrets.ts'
import { type Int64, parseJson, stringifyJson } from '../../platform/wire/int64.ts'
import type { Seed } from '../seed/seed.ts'
import { nextNumber } from './object-id.ts'
import { copyOf, type Document, type Documents, idOf, type Resources, resourcesOf } from './resources.ts'
import { countChange, revisionOf, seedResources } from './seed-resources.ts'

/** Teams, members, channels, schedules and datasources in the database. */
export interface ResourceStore {
  /** Returns the same object until the account changes. */
  of(accountId: number): Promise<Resources>
  /** Locks an account's resources for a transaction. If `work` throws, nothing is kept. */
  change<T>(accountId: number, work: (draft: Draft) => Promise<T> | T): Promise<T>
  /** Applies a seed. */
  seed(seed: Seed): Promise<void>
  /** Checks whether another intake has made changes. */
  refresh(): Promise<void>
}

export interface Draft {
  /** The resources as this transaction sees them. */
  resources: Resources
  transaction: Transaction<Tables>
  /** A new id of the account, as long as the service's ids. */
  newId(kind: ResourceKind): Int64
  /** Adds or replaces a document, without its secrets. */
  put<K extends ResourceKind>(kind: K, document: Documents[K]): Promise<void>
  remove(kind: ResourceKind, id: Int64): Promise<void>
}

interface Known {
  revision: number
  /** The value of `othersWrites` before they were read. */
  writes: number | undefined
  resources: Resources
}

/** Opens the resources, and updates the members in the directory now and after each change. */
export async function openResources(database: Database, seed: Seed, directory: Directory): Promise<ResourceStore> {
  const { db } = database
  const known = new Map<number, Known>()

  const know = (accountId: number, read: Known): Resources => {
    const { resources } = read
    // If two reads overlap, the later revision wins.
    if ((known.get(accountId)?.revision ?? 0) > read.revision) return resources
    known.set(accountId, read)
    directory.setPeople(accountId, peopleOf(resources.member.values(), resources.team.values()))
    return resources
  }
  const load = async (accountId: number): Promise<Resources> => {
    // Read this first, so that a change in between is noticed next time.
    const writes = database.othersWrites?.()
    const revision = await revisionOf(db, accountId)
    return know(accountId, { revision, writes, resources: await readResources(db, accountId) })
  }
  const of = async (accountId: number): Promise<Resources> => {
    const last = known.get(accountId)
    if (!last) return load(accountId)
    const writes = database.othersWrites?.()
    if (writes !== undefined && writes === last.writes) return last.resources
    if ((await revisionOf(db, accountId)) !== last.revision) return load(accountId)
    last.writes = writes
    return last.resources
  }
  const loadAll = async () => {
    for (const id of directory.accounts.keys()) await load(id)
  }
  await seedResources(database, seed)
  await loadAll()
  return {
    of,
    async change(accountId, work) {
      const { result, changed } = await db.transaction().execute(async (transaction) => {
        await database.serialize(transaction, `resources ${accountId}`)
        const writes = database.othersWrites?.()
        const last = await revisionOf(transaction, accountId)
        const held = known.get(accountId)
        // Reuse the cached resources, because reading an account for each change gets slower as it grows.
        const resources = held?.revision === last ? copyOf(held.resources) : await readResources(transaction, accountId)
        const result = await work(draftOf(transaction, accountId, resources))
        const revision = await countChange(transaction, accountId)
        // A seed may have been applied in between.
        return { result, changed: revision === last + 1 ? { revision, writes, resources } : undefined }
      })
      if (changed) know(accountId, changed)
      else await load(accountId)
      return result
    },
    async seed(next) {
      await seedResources(database, next)
      known.clear()
      await loadAll()
    },
    async refresh() {
      for (const id of directory.accounts.keys()) await of(id)
    },
  }
}

/** @param resources used only by the draft. */
function draftOf(transaction: Transaction<Tables>, accountId: number, resources: Resources): Draft {
  const mapOf = (kind: ResourceKind) => resources[kind] as Map<Int64, Document>
  return {
    resources,
    transaction,
    newId(kind) {
      for (;;) {
        const id = nextNumber()
        if (!mapOf(kind).has(id)) return id
      }
    },
    async put(kind, document) {
      const kept: Document = withoutSecrets<Document>(document)
      const id = idOf(kind, kept)
      mapOf(kind).set(id, kept)
      const row = { account_id: accountId, kind, id: String(id), document: stringifyJson(kept) }
      await transaction
        .insertInto('resource')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'kind', 'id']).doUpdateSet({ document: row.document }),
        )
        .execute()
    },
    async remove(kind, id) {
      mapOf(kind).delete(id)
      await transaction
        .deleteFrom('resource')
        .where('account_id', '=', accountId)
        .where('kind', '=', kind)
        .where('id', '=', String(id))
        .execute()
    },
  }
}

async function readResources(on: Pick<Database['db'], 'selectFrom'>, accountId: number): Promise<Resources> {
  const rows = await on
    .selectFrom('resource')
    .select(['kind', 'document'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  return resourcesOf(rows.map(({ kind, document }) => ({ kind, document: parseJson(document) as Document })))
}
