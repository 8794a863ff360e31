import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Anything, Instant, Type } from '../platform/wire/schema.ts'
import type { StoredUpload } from '../symbols/room.ts'
import { defineTestOperation } from './operation.ts'

/** Values that event fields must have (`service`, `version`, `type`, `minified_url` …), or a function that tests an upload. */
export type UploadFilter = Readonly<Record<string, unknown>> | ((upload: StoredUpload) => boolean)

export function matchesUpload(upload: StoredUpload, filter: UploadFilter = {}): boolean {
  if (typeof filter === 'function') return filter(upload)
  return Object.entries(filter).every(([name, value]) => isDeepStrictEqual(upload.event[name], value))
}

const MAX_WAIT_MS = 60_000
const LOOK_MS = 20
/** Maximum total size in bytes of the content in a response. */
const MAX_CONTENT = 64 * 1024 * 1024

export const testUploads = defineTestOperation({
  path: '/__test/uploads',
  name: 'test:read:uploads',
  title: { en: 'List uploads', zh: '查看上传' },
  isBodyOptional: true,
  body: Type.Object({
    filter: Type.Optional(Anything),
    wait_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_WAIT_MS })),
    /** Whether to return the content of each part, up to 64 MiB in total. */
    content: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        event: Anything,
        parts: Type.Array(
          Type.Object({
            name: Type.String(),
            filename: Type.String(),
            sha256: Type.String(),
            bytes: Type.Integer(),
            content_base64: Type.Optional(Type.String()),
          }),
        ),
        /** Time in Unix milliseconds. */
        created_at: Instant,
        updated_at: Instant,
      }),
    ),
    total: Type.Integer(),
    /** Whether some content was omitted because of its size. If so, request fewer uploads. */
    is_cut: Type.Boolean(),
  }),
  example: { filter: { service: 'shop', version: '1.2.3' }, content: true },
  async run({ store, whenGone }, { filter = {}, wait_ms = 0, content = false }) {
    const isGone = whenGone()
    const end = Date.now() + wait_ms
    const look = async () => (await store.uploads()).filter((upload) => matchesUpload(upload, filter))
    let found = await look()
    while (found.length === 0 && Date.now() < end && !isGone.aborted) {
      await wait(LOOK_MS)
      found = await look()
    }
    let left = content ? MAX_CONTENT : 0
    let isCut = false
    const items = []
    for (const upload of found) {
      const parts = []
      for (const { name, filename, sha256, bytes, read } of upload.parts) {
        const isRead = content && bytes <= left
        if (content && !isRead) isCut = true
        if (isRead) left -= bytes
        const bytesOf = isRead ? await read() : undefined
        parts.push({ name, filename, sha256, bytes, ...(bytesOf && { content_base64: bytesOf.toString('base64') }) })
      }
      items.push({ ...shown(upload), parts })
    }
    return { items, total: found.length, is_cut: isCut }
  },
})

function shown({ id, event, createdAt, updatedAt }: StoredUpload) {
  return { id, event, created_at: createdAt, updated_at: updatedAt }
}
