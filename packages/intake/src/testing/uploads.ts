import type { StoredUpload } from '../symbols/room.ts'
import { matchesUpload, type UploadFilter } from '../test-routes/room.ts'

const LOOK_MS = 20
/** Saved when the module loads, because a test may later replace the timers with fake timers. */
const { setTimeout } = globalThis
const { now } = Date

/** @throws Error that lists all other uploads. */
export async function waitForUpload(
  uploads: () => Promise<StoredUpload[]>,
  filter: UploadFilter | undefined,
  timeout: number,
): Promise<StoredUpload> {
  const end = now() + timeout
  for (;;) {
    const all = await uploads()
    const found = all.findLast((upload) => matchesUpload(upload, filter))
    if (found) return found
    if (now() >= end) {
      const wanted = typeof filter === 'object' ? ` with ${JSON.stringify(filter)}` : ''
      throw new Error(`No upload${wanted} arrived within ${timeout} ms. ${describeUploads(all)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

export function describeUploads(uploads: readonly StoredUpload[]): string {
  if (uploads.length === 0) return 'Nothing was uploaded.'
  const shown = uploads.slice(0, 10).map(({ event }) => `  ${JSON.stringify(event)}`)
  const more = uploads.length > shown.length ? [`  … and ${uploads.length - shown.length} more`] : []
  return ['Uploaded artifacts:', ...shown, ...more].join('\n')
}
