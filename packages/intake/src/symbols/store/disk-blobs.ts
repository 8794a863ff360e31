import { existsSync, fsync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { hashFile } from '@symup/core'
import { makeDirectory } from '@symup/core/internal'
import { ContentLost } from '@symup/symbolicate'
import type { Database } from '../../platform/database/database.ts'
import { syncPath } from '../../platform/shared-sync.ts'
import { type Blobs, isHash } from './blobs.ts'
import { contentCache } from './content-cache.ts'
import { linkOrCopy, type Staging, sizeOf } from './staging.ts'

const syncFile = promisify(fsync)

/** Maximum total size in bytes of files that contain copies of database content. Some readers require a file. */
const COPIES_BYTES = 256 * 1024 * 1024

/**
 * Stores large content in `blobs/`, in directories that are named after the first two characters of the hash. Small content is stored in
 * the database.
 */
export function diskBlobs(directory: string, staging: Staging, { db }: Pick<Database, 'db'>): Blobs {
  const root = join(directory, 'blobs')
  const place = (sha256: string) => join(root, sha256.slice(0, 2), sha256)
  const inDatabase = async (sha256: string): Promise<Buffer | undefined> => {
    const row = await db.selectFrom('blob').select('content').where('sha256', '=', sha256).executeTakeFirst()
    return row?.content ? Buffer.from(row.content) : undefined
  }
  const copies = contentCache(staging, COPIES_BYTES, 'The database', async (sha256) => {
    const content = await inDatabase(sha256)
    if (!content) throw new ContentLost()
    return Readable.from([content])
  })
  const isSound = soundFiles()
  return {
    ...staging,
    async stageHeld(sha256) {
      const small = await inDatabase(sha256)
      if (small) {
        const staged = await staging.stage(Readable.from([small]))
        return staged.sha256 === sha256 ? staged : undefined
      }
      const path = staging.place()
      try {
        await linkOrCopy(place(sha256), path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
      const bytes = (await stat(path)).size
      if (await isSound(sha256, path)) return { sha256, bytes, path }
      // Deletes damaged content, so that it counts as missing and a client can send it again.
      await rm(path, { force: true })
      return undefined
    },
    async put(blob) {
      if (blob.content) return
      const { sha256, path } = blob
      const final = place(sha256)
      const folder = dirname(final)
      makeDirectory(folder, 0o700)
      if (await isSound(sha256, final).catch(() => false)) return
      // Copies to a temporary name first to avoid exposing an incomplete copy.
      const own = staging.place()
      await linkOrCopy(path, own)
      await rename(own, final)
      // `rename` does nothing if both names refer to the same file, so the temporary name may still exist.
      await rm(own, { force: true })
      await syncPath(folder, syncFile)
    },
    // Synchronous, because other requests wait for the database until the check has finished.
    has: async (sha256) => existsSync(place(sha256)),
    remove: (sha256) => rm(place(sha256), { force: true }),
    async *list() {
      for (const folder of await readdir(root).catch(() => [])) {
        for (const name of await readdir(join(root, folder)).catch(() => [])) {
          const found = isHash(name) ? await stat(join(root, folder, name)).catch(() => undefined) : undefined
          if (found) yield { sha256: name, keptAt: found.ctimeMs }
        }
      }
    },
    async localPath(sha256) {
      const path = place(sha256)
      if ((await sizeOf(path)) === undefined) return copies.pathOf(sha256)
      if (!(await isSound(sha256, path))) throw new ContentLost()
      return path
    },
    async ping() {
      await stat(root).catch(() => stat(directory))
      await staging.ping()
    },
  }
}

/** Maximum number of hashes to remember. Each hash takes up about 100 bytes. */
const MAX_SOUND = 10_000

/** Verifies a file when it is first read, and again after each change. */
function soundFiles(): (sha256: string, path: string) => Promise<boolean> {
  const sound = new Map<string, string>()
  const hashing = new Map<string, Promise<boolean>>()
  const hash = async (sha256: string, path: string, version: string) => {
    if ((await hashFile(path)) !== sha256) return false
    if (sound.size === MAX_SOUND) sound.clear()
    sound.set(sha256, version)
    return true
  }
  return async (sha256, path) => {
    const { ino, size, mtimeMs } = await stat(path)
    const version = `${ino} ${size} ${mtimeMs}`
    if (sound.get(sha256) === version) return true
    const running = hashing.get(sha256) ?? hash(sha256, path, version).finally(() => hashing.delete(sha256))
    hashing.set(sha256, running)
    return running
  }
}
