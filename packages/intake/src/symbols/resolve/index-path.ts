import { ContentLost } from '@symup/symbolicate'
import { DamagedContent } from '../store/content-cache.ts'
import type { Store } from '../store/store.ts'

/** Of what an index saves, all can be read without it: a damaged one is none. */
export async function indexPath(blobs: Store['blobs'], sha256: string): Promise<string | undefined> {
  return blobs.localPath(sha256).catch((error: unknown) => {
    if (error instanceof ContentLost || error instanceof DamagedContent) return undefined
    throw error
  })
}
