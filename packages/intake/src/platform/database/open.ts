import { makeDirectory } from '@symup/core/internal'
import { withPackage } from '../optional-package.ts'
import type { Database } from './database.ts'
import type { Migration } from './migrations.ts'
import { tighten } from './tighten.ts'

/**
 * @param directory for all data of the intake. Created if missing, with access for this user only.
 * @param address `postgres://user:password@host:port/database`; if omitted, SQLite in the directory.
 * @param migrations of all rooms, whether served or not.
 * @throws if it cannot be reached, the address is invalid, or the package `pg` is not installed.
 */
export async function openDatabase(
  directory: string,
  address: string | undefined,
  migrations: readonly Migration[],
): Promise<Database> {
  makeDirectory(directory, 0o700)
  await tighten(directory)
  if (address === undefined) {
    const { openSqlite } = await import('./sqlite.ts')
    return openSqlite(directory, migrations)
  }
  if (!/^postgres(?:ql)?:\/\//.test(address)) throw new Error('the database must be an address postgres://…')
  const { openPostgres } = await withPackage('pg', 'A database at postgres://', () => import('./postgres.ts'))
  return openPostgres(address, migrations)
}
