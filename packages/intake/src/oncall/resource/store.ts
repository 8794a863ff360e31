import type { Transaction } from 'kysely'
import { type Directory, peopleOf } from '../../platform/accounts/directory.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ResourceKind, Tables } from '../../platform/database/schema.ts'
import { withoutSecrets } from '../../platform/secrets.ts'
import { type Int64, parseJson, stringifyJson } from '../../platform/wire/int64.ts'
import type { Seed } from '../seed/seed.ts'
import { nextNumber } from './object-id.ts'
import { type Document, type Documents, idOf, type Resources, resourcesOf } from './resources.ts'
import { seedResources } from './seed-resources.ts'

/** Teams, members, channels, schedules and datasources in the database. */
export interface ResourceStore {
  of(accountId: number): Promise<Resources>
  /** Locks an account's resources for a transaction. If `work` throws, nothing is kept. */
  change<T>(accountId: number, work: (draft: Draft) => Promise<T> | T): Promise<T>
  /** Applies a seed. */
  seed(seed: Seed): Promise<void>
  /** Updates the members in the directory after changes by another intake. */
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

/** Opens the resources, and updates the members in the directory now and after each change. */
export async function openResources(database: Database, seed: Seed, directory: Directory): Promise<ResourceStore> {
  const { db } = database
  /** The value of `othersWrites` at the last refresh. */
  let writes: number | undefined
  const known = (accountId: number, resources: Resources): Resources => {
    directory.setPeople(accountId, peopleOf(resources.member.values(), resources.team.values()))
    return resources
  }
  const of = async (accountId: number) => known(accountId, await readResources(db, accountId))
  const load = async (next: Seed) => {
    await seedResources(database, next)
    for (const id of directory.accounts.keys()) await of(id)
  }
  await load(seed)
  return {
    of,
    async change(accountId, work) {
      const { result, resources } = await db.transaction().execute(async (transaction) => {
        await database.serialize(transaction, `resources ${accountId}`)
        const resources = await readResources(transaction, accountId)
        return { result: await work(draftOf(transaction, accountId, resources)), resources }
      })
      known(accountId, resources)
      return result
    },
    seed: load,
    async refresh() {
      const next = database.othersWrites?.()
      if (next !== undefined && next === writes) return
      writes = next
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
