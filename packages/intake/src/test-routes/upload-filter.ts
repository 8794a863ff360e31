import { isDeepStrictEqual } from 'node:util'
import type { StoredUpload } from '../symbols/room.ts'

/** Fields of the event (`service`, `version`, `type`, `minified_url` …) with the values that they must have, or a test of your own. */
export type UploadFilter = Readonly<Record<string, unknown>> | ((upload: StoredUpload) => boolean)

export function matchesUpload(upload: StoredUpload, filter: UploadFilter = {}): boolean {
  if (typeof filter === 'function') return filter(upload)
  return Object.entries(filter).every(([name, value]) => isDeepStrictEqual(upload.event[name], value))
}
