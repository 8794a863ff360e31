import type { Kysely } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { RESOURCE_KINDS, type ResourceRow, type Tables } from '../../platform/database/schema.ts'
import { withoutSecrets } from '../../platform/secrets.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'
import { applySeed, type SeededEntry } from '../seed/apply-seed.ts'
import type { Seed } from '../seed/seed.ts'
import { idOf, seededDocuments } from './resources.ts'

/** Applies the resources of a seed (see `applySeed`). Their secrets are not kept. */
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
    await applySeed(database, kind, accountIds, entries, {
      add: (on, rows) =>
        insert(on, rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      async replace(on, rows) {
        for (const row of rows)
          await insert(on, [row])
            .onConflict((conflict) =>
              conflict.columns(['account_id', 'kind', 'id']).doUpdateSet({ document: row.document }),
            )
            .execute()
      },
      remove: (on, accountId, id) =>
        on
          .deleteFrom('resource')
          .where('account_id', '=', accountId)
          .where('kind', '=', kind)
          .where('id', '=', id)
          .execute(),
    })
  }
}

function insert(on: Kysely<Tables>, rows: readonly ResourceRow[]) {
  return on.insertInto('resource').values(rows)
}
