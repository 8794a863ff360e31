import { withPackage } from '../optional-package.ts'
import type { Database } from './database.ts'

/**
 * @param address `postgres://user:password@host:port/database`; without one, SQLite in the directory.
 * @throws when it cannot be reached, the address is of neither, or the package `pg` is not installed.
 */
export async function openDatabase(directory: string, address?: string): Promise<Database> {
  if (address === undefined) {
    const { openSqlite } = await import('./sqlite.ts')
    return openSqlite(directory)
  }
  if (!/^postgres(?:ql)?:\/\//.test(address)) throw new Error('the database must be an address postgres://…')
  const { openPostgres } = await withPackage('pg', 'A database at postgres://', () => import('./postgres.ts'))
  return openPostgres(address)
}
