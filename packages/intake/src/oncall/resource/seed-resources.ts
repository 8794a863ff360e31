import type { Kysely } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { RESOURCE_KINDS, type ResourceRow, type Tables } from '../../platform/database/schema.ts'
import { withoutSecrets } from '../../platform/secrets.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'
import { applySeed, type SeededEntry, type SeedWriter, tableWriter } from '../seed/apply-seed.ts'
import type { Seed } from '../seed/seed.ts'
import { idOf, seededDocuments } from './resources.ts'

type On = Pick<Database['db'], 'selectFrom' | 'insertInto'>

/** Change counter of an account's resources. It only grows, so that caches can detect changes. */
export async function revisionOf(on: On, accountId: number): Promise<number> {
  const found = on.selectFrom('resource_revision').select('revision').where('account_id', '=', accountId)
  return (await found.executeTakeFirst())?.revision ?? 0
}

/** Call it in the transaction of the change. @returns the new revision. */
export async function countChange(on: On, accountId: number): Promise<number> {
  const { revision } = await on
    .insertInto('resource_revision')
    .values({ account_id: accountId, revision: 1 })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ revision: eb('resource_revision.revision', '+', 1) })),
    )
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

/** Applies the resources of a seed (see `applySeed`), without secrets. */
export async function seedResources(database: Database, { accounts }: Seed): Promise<void> {
  const accountIds = accounts.map(({ account_id }) => account_id)
  for (const kind of RESOURCE_KINDS) {
    const entries = accounts.flatMap((account) =>
      seededDocuments(account)[kind].map((entry): SeededEntry<ResourceRow> => {
        const id = String(idOf(kind, entry))
        const row = { account_id: account.account_id, kind, id, document: stringifyJson(withoutSecrets(entry)) }
        return { accountId: account.account_id, id, entry, row }
      }),
    )
    const remove: SeedWriter<ResourceRow>['remove'] = (on, accountId, id) => {
      const resource = on.deleteFrom('resource').where('account_id', '=', accountId)
      return resource.where('kind', '=', kind).where('id', '=', id).execute()
    }
    await applySeed(database, kind, accountIds, entries, counting(tableWriter('resource', KEY, remove)))
  }
}

/** Counts the change, because another intake over the same database may have cached the data. */
function counting({ add, replace, remove }: SeedWriter<ResourceRow>): SeedWriter<ResourceRow> {
  const count = async (on: Kysely<Tables>, rows: readonly ResourceRow[]) => {
    for (const id of new Set(rows.map(({ account_id }) => account_id))) await countChange(on, id)
  }
  return {
    async add(on, rows) {
      await add(on, rows)
      await count(on, rows)
    },
    async replace(on, rows) {
      await replace(on, rows)
      await count(on, rows)
    },
    async remove(on, accountId, id) {
      await remove(on, accountId, id)
      await countChange(on, accountId)
    },
  }
}

const KEY = ['account_id', 'kind', 'id']
