import { openDatabase } from './platform/database/open.ts'
import { MIGRATIONS } from './rooms.ts'
import { type Store, storeOver } from './symbols/store/store.ts'

export interface StoreAddresses {
  /** `postgres://…`. Default: SQLite in the store's directory. */
  database?: string
  /** `s3://bucket/prefix?endpoint=…`. Default: files in the store's directory. */
  blobs?: string
}

/**
 * Opens or creates a store. The directory contains records and small files in `intake.db`, and all other files in `blobs/`. Several intakes
 * can share the store if both a database and a blob store are specified. In that case, the directory contains only uploads in progress.
 */
export async function openStore(directory: string, addresses: StoreAddresses = {}): Promise<Store> {
  const database = await openDatabase(directory, addresses.database, MIGRATIONS)
  return storeOver(database, directory, addresses.blobs).catch(async (error) => {
    await database.close()
    throw error
  })
}
