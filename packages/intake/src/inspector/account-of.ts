import type { Directory } from '../platform/accounts/directory.ts'
import type { Store } from '../symbols/room.ts'

/** The account that has the service's files. The page shows all accounts. */
export async function accountOf(
  { database: { scans } }: Store,
  directory: Directory,
  service: string,
): Promise<number> {
  const row = await scans
    .selectFrom('artifact')
    .select('account_id')
    .where('service', '=', service)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.account_id ?? (directory.accounts.keys().next().value as number)
}
