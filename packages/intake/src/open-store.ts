import { openDatabase } from './platform/database/open.ts'
import { MIGRATIONS } from './rooms.ts'
import { type Store, storeOver } from './symbols/store/store.ts'

/** Where a store's data is. */
export interface StoreAddresses {
  /** `postgres://…`. Default: SQLite in the store's directory. */
  database?: string
  /** `s3://bucket/prefix?endpoint=…`. Default: files in the store's directory. */
  blobs?: string
}

/**
 * Opens or creates a store. In the directory, `intake.db` contains records and small files, and `blobs/` contains the
 * other files. With both addresses, which several intakes can share, the directory contains only uploads in progress.
 */
export async function openStore(directory: string, addresses: StoreAddresses = {}): Promise<Store> {
  const database = await openDatabase(directory, addresses.database, MIGRATIONS)
  return storeOver(database, directory, addresses.blobs).catch(async (error) => {
    await database.close()
    throw error
  })
}
