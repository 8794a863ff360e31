import { ContentLost } from '@symup/symbolicate'
import { DamagedContent } from '../store/content-cache.ts'
import type { Store } from '../store/store.ts'

/** The path of an index; undefined if it is missing or damaged, because everything works without it. */
export async function indexPath(blobs: Store['blobs'], sha256: string): Promise<string | undefined> {
  return blobs.localPath(sha256).catch((error: unknown) => {
    if (error instanceof ContentLost || error instanceof DamagedContent) return undefined
    throw error
  })
}
