import { setTimeout as wait } from 'node:timers/promises'
import { Anything, Instant, Type } from '../platform/wire/schema.ts'
import type { StoredUpload } from '../symbols/room.ts'
import { defineTestOperation } from './operation.ts'
import { matchesUpload } from './upload-filter.ts'

const MAX_WAIT_MS = 60_000
const LOOK_MS = 20
/** Bytes of contents in one answer. */
const MAX_CONTENT = 64 * 1024 * 1024

/** What was uploaded, oldest first, of all accounts. */
export const testUploads = defineTestOperation({
  path: '/__test/uploads',
  name: 'test:read:uploads',
  title: { en: 'List uploads', zh: '查看上传' },
  isBodyOptional: true,
  body: Type.Object({
    /** Fields of the event, with the values that they must have. */
    filter: Type.Optional(Anything),
    /** Milliseconds to wait for a first one. */
    wait_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_WAIT_MS })),
    /** True adds the contents; 64 MiB at most. */
    content: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        /** As it was sent. */
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
        /** Unix milliseconds. */
        created_at: Instant,
        updated_at: Instant,
      }),
    ),
    total: Type.Integer(),
    /** Contents are missing, as there are too many bytes of them: ask for fewer uploads. */
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
