import type { Transaction } from 'kysely'
import { type Directory, peopleOf } from '../../platform/accounts/directory.ts'
import type { Database } from '../../platform/database/database.ts'
import { RESOURCE_KINDS, type ResourceKind, type ResourceRow, type Tables } from '../../platform/database/schema.ts'
import { withoutSecrets } from '../../platform/secrets.ts'
import { type Int64, parseJson, stringifyJson } from '../../platform/wire/int64.ts'
import { applySeed } from '../seed/apply-seed.ts'
import type { Seed } from '../seed/seed.ts'
import { nextNumber } from './object-id.ts'
import { type Document, type Documents, idOf, type Resources, resourcesOf, seededDocuments } from './resources.ts'

async function seedResources(database: Database, seed: Seed): Promise<void> {
  for (const kind of RESOURCE_KINDS)
    await applySeed(database, seed, {
      table: 'resource',
      kind,
      key: KEY,
      place: (id) => ({ kind, id }),
      entriesOf: (account) =>
        seededDocuments(account)[kind].map((entry) => {
          const row = rowOf(account.account_id, kind, withoutSecrets<Document>(entry))
          return { id: row.id, entry, row }
        }),
    })
}

const KEY = ['account_id', 'kind', 'id'] as const

function rowOf(account_id: number, kind: ResourceKind, document: Document): ResourceRow {
  return { account_id, kind, id: String(idOf(kind, document)), document: stringifyJson(document) }
}

export type ResourceStore = Awaited<ReturnType<typeof openResources>>

/** Changes to members also update the directory. */
export async function openResources(database: Database, seed: Seed, directory: Directory) {
  const { db } = database
  const known = (accountId: number, resources: Resources): Resources => {
    directory.setPeople(accountId, peopleOf(resources.member.values(), resources.team.values()))
    return resources
  }
  const of = async (accountId: number, kinds: readonly ResourceKind[] = RESOURCE_KINDS) =>
    known(accountId, await readResources(db, accountId, kinds))
  const load = async (next: Seed) => {
    await seedResources(database, next)
    for (const id of directory.accounts.keys()) await of(id)
  }
  await load(seed)
  return {
    of: (accountId: number) => of(accountId),
    /** Locks the resources of an account during a transaction. If `work` throws, the transaction is rolled back. */
    async change<T>(accountId: number, work: (draft: Draft) => Promise<T> | T): Promise<T> {
      const { result, resources } = await db.transaction().execute(async (transaction) => {
        await database.serialize(transaction, `resources ${accountId}`)
        const resources = await readResources(transaction, accountId, RESOURCE_KINDS)
        return { result: await work(draftOf(transaction, accountId, resources)), resources }
      })
      known(accountId, resources)
      return result
    },
    seed: load,
    /** Updates the members in the directory, because another intake may have changed them. */
    async refresh() {
      for (const id of directory.accounts.keys()) await of(id, ['member', 'team'])
    },
  }
}

export type Draft = ReturnType<typeof draftOf>

function draftOf(transaction: Transaction<Tables>, accountId: number, resources: Resources) {
  const mapOf = (kind: ResourceKind) => resources[kind] as Map<Int64, Document>
  return {
    resources,
    transaction,
    /** Returns an id with as many digits as the ids in the hosted service. */
    newId(kind: ResourceKind): Int64 {
      for (;;) {
        const id = nextNumber()
        if (!mapOf(kind).has(id)) return id
      }
    },
    /** Stores a resource without its secrets. */
    async put<K extends ResourceKind>(kind: K, document: Documents[K]) {
      const kept: Document = withoutSecrets<Document>(document)
      mapOf(kind).set(idOf(kind, kept), kept)
      const row = rowOf(accountId, kind, kept)
      await transaction
        .insertInto('resource')
        .values(row)
        .onConflict((conflict) => conflict.columns(KEY).doUpdateSet({ document: row.document }))
        .execute()
    },
    async remove(kind: ResourceKind, id: Int64) {
      mapOf(kind).delete(id)
      const own = { account_id: accountId, kind, id: String(id) }
      await transaction
        .deleteFrom('resource')
        .where((eb) => eb.and(own))
        .execute()
    },
  }
}

async function readResources(
  on: Pick<Database['db'], 'selectFrom'>,
  accountId: number,
  kinds: readonly ResourceKind[],
): Promise<Resources> {
  const rows = await on
    .selectFrom('resource')
    .select(['kind', 'document'])
    .where('account_id', '=', accountId)
    .where('kind', 'in', kinds)
    .orderBy('id')
    .execute()
  return resourcesOf(rows.map(({ kind, document }) => ({ kind, document: parseJson(document) as Document })))
}
