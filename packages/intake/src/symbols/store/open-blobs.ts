import { withPackage } from '../../platform/optional-package.ts'
import type { Blobs } from './blobs.ts'
import { openStaging } from './staging.ts'

/**
 * @param address `s3://bucket/prefix?endpoint=…`; without one, files below the directory.
 * @throws when the address is of no blob store, or the package `minio` is not installed.
 */
export async function openBlobs(directory: string, address?: string): Promise<Blobs> {
  const staging = await openStaging(directory)
  if (address === undefined) {
    const { diskBlobs } = await import('./disk-blobs.ts')
    return diskBlobs(directory, staging)
  }
  const { s3Blobs } = await withPackage('minio', 'A store at s3://', () => import('./s3-blobs.ts'))
  return s3Blobs(address, staging)
}
