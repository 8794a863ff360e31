import { openDatabase } from './platform/database/open.ts'
import { MIGRATIONS } from './rooms.ts'
import { type Store, storeOver } from './symbols/store/store.ts'

/** Addresses of a store's data. */
export interface StoreAddresses {
  /** `postgres://…`. Default: SQLite in the store's directory. */
  database?: string
  /** `s3://bucket/prefix?endpoint=…`. Default: files in the store's directory. */
  blobs?: string
}

/**
 * Opens or creates a store. In a directory, `intake.db` contains records and small files, and `blobs/` the other files. With the two addresses, which
 * several intakes can share, the directory contains only uploads in progress.
 */
export async function openStore(directory: string, addresses: StoreAddresses = {}): Promise<Store> {
  const database = await openDatabase(directory, addresses.database, MIGRATIONS)
  return storeOver(database, directory, addresses.blobs).catch(async (error) => {
    await database.close()
    throw error
  })
}
