import type { Database } from '../../platform/database/database.ts'
import { RESOURCE_KINDS, type ResourceRow } from '../../platform/database/schema.ts'
import { withoutSecrets } from '../../platform/secrets.ts'
import { stringifyJson } from '../../platform/wire/int64.ts'
import { applySeed, type SeededEntry, type SeedWriter, tableWriter } from '../seed/apply-seed.ts'
import type { Seed } from '../seed/seed.ts'
import { idOf, seededDocuments } from './resources.ts'

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
    await applySeed(database, kind, accountIds, entries, tableWriter('resource', ['account_id', 'kind', 'id'], remove))
  }
}
