import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '@symup/core/internal'
import { withPackage } from '../start-error.ts'
import type { Database } from './database.ts'
import type { Migration } from './migrations.ts'

const DATABASE = /^intake\.db(?:-wal|-shm|-journal)?$/
const DIRECTORIES: ReadonlySet<string> = new Set(['blobs', 'incoming', 'owners'])
const GROUP_AND_OTHERS = 0o077

/**
 * Removes access for other users, which older versions granted. If the directory also contains unrelated files, only the store's own files
 * are restricted.
 */
async function tighten(directory: string): Promise<void> {
  const names = await readdir(directory)
  const own = names.filter((name) => DATABASE.test(name) || DIRECTORIES.has(name))
  // Restricting a directory also protects the files in it.
  for (const name of own) await close(join(directory, name))
  if (own.length === names.length) await close(directory)
}

async function close(path: string): Promise<void> {
  try {
    const { mode } = await stat(path)
    if (mode & GROUP_AND_OTHERS) await chmod(path, mode & ~GROUP_AND_OTHERS & 0o7777)
  } catch {
    // Ignores files that belong to another user or were deleted.
  }
}

/**
 * @param directory directory for all data of the intake. If the directory does not exist, it is created with access for the current user
 * only.
 * @param address `postgres://user:password@host:port/database`. Default: SQLite in the directory.
 * @param migrations migrations of all rooms, including rooms that are not served.
 * @throws if the database cannot be reached, the address is invalid, or the package `pg` is not installed.
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
  if (!/^postgres(?:ql)?:\/\//.test(address)) throw new Error('The database must be a URL such as postgres://….')
  const { openPostgres } = await withPackage('pg', 'A database at postgres://', () => import('./postgres.ts'))
  return openPostgres(address, migrations)
}
