import type { Database } from '../../platform/database/database.ts'
import { withPackage } from '../../platform/optional-package.ts'
import { type Blobs, SMALL_BYTES } from './blobs.ts'
import { openStaging } from './staging.ts'

/**
 * @param address `s3://bucket/prefix?endpoint=…`; if omitted, files below the directory, and small content in its SQLite.
 * @throws if the address is invalid, or the package `minio` is not installed.
 */
export async function openBlobs(directory: string, database: Database, address?: string): Promise<Blobs> {
  if (address === undefined) {
    const { diskBlobs } = await import('./disk-blobs.ts')
    const hasRows = database.kind === 'sqlite'
    return diskBlobs(directory, await openStaging(directory, hasRows ? SMALL_BYTES : 0), database)
  }
  const { S3Blobs } = await withPackage('minio', 'A store at s3://', () => import('./s3-blobs.ts'))
  const staging = await openStaging(directory)
  try {
    return new S3Blobs(address, staging)
  } catch (error) {
    await staging.close()
    throw error
  }
}
