import { isDeepStrictEqual } from 'node:util'
import type { StoredUpload } from '../symbols/store/store.ts'

/** Fields of the event (`service`, `version`, `type`, `minified_url` …) with the values that they must have, or a test of your own. */
export type UploadFilter = Readonly<Record<string, unknown>> | ((upload: StoredUpload) => boolean)

export function matchesUpload(upload: StoredUpload, filter: UploadFilter = {}): boolean {
  if (typeof filter === 'function') return filter(upload)
  return Object.entries(filter).every(([name, value]) => isDeepStrictEqual(upload.event[name], value))
}

const LOOK_MS = 20

/** @throws Error saying what came instead. */
export async function waitForUpload(
  uploads: () => Promise<StoredUpload[]>,
  filter: UploadFilter | undefined,
  timeout: number,
): Promise<StoredUpload> {
  const end = Date.now() + timeout
  for (;;) {
    const all = await uploads()
    const found = all.findLast((upload) => matchesUpload(upload, filter))
    if (found) return found
    if (Date.now() >= end) {
      const wanted = typeof filter === 'object' ? ` with ${JSON.stringify(filter)}` : ''
      throw new Error(`No upload${wanted} came within ${timeout} ms. ${describeUploads(all)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** What there is, for messages of tests that fail. */
export function describeUploads(uploads: readonly StoredUpload[]): string {
  if (uploads.length === 0) return 'Nothing was uploaded.'
  const shown = uploads.slice(0, 10).map(({ event }) => `  ${JSON.stringify(event)}`)
  const more = uploads.length > shown.length ? [`  … and ${uploads.length - shown.length} more`] : []
  return ['These were uploaded:', ...shown, ...more].join('\n')
}
