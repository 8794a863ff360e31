import { isDeepStrictEqual } from 'node:util'
import type { StoredUpload } from '../symbols/room.ts'

/** Event fields (`service`, `version`, `type`, `minified_url` …) with their required values, or a test function. */
export type UploadFilter = Readonly<Record<string, unknown>> | ((upload: StoredUpload) => boolean)

export function matchesUpload(upload: StoredUpload, filter: UploadFilter = {}): boolean {
  if (typeof filter === 'function') return filter(upload)
  return Object.entries(filter).every(([name, value]) => isDeepStrictEqual(upload.event[name], value))
}
