import type { Database } from '../platform/database/database.ts'
import { openDatabase as open } from '../platform/database/open.ts'
import { MIGRATIONS } from '../rooms.ts'

/** A database with the tables of all rooms. */
export function openDatabase(directory: string, address?: string): Promise<Database> {
  return open(directory, address, MIGRATIONS)
}
