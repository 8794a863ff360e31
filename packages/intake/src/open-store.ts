import { openDatabase } from './platform/database/open.ts'
import { MIGRATIONS } from './rooms.ts'
import { type Store, storeOver } from './symbols/store/store.ts'

/** Where a store is. */
export interface StoreAddresses {
  /** `postgres://…`. Default: SQLite in the store's directory. */
  database?: string
  /** `s3://bucket/prefix?endpoint=…`. Default: files in the store's directory. */
  blobs?: string
}

/**
 * Opens or creates a store: in a directory, `intake.db` for the records and small files and `blobs/` for the others, or at two addresses that several
 * intakes share; the directory then has only what is on its way.
 */
export async function openStore(directory: string, addresses: StoreAddresses = {}): Promise<Store> {
  const database = await openDatabase(directory, addresses.database, MIGRATIONS)
  return storeOver(database, directory, addresses.blobs).catch(async (error) => {
    await database.close()
    throw error
  })
}
