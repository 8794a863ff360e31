import { existsSync, linkSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { hashFile } from '@symup/core'
import { makeDirectory } from '@symup/core/internal'
import { ContentLost } from '@symup/symbolicate'
import type { Database } from '../../platform/database/database.ts'
import { SharedSync } from '../../platform/shared-sync.ts'
import { type Blobs, isHash } from './blobs.ts'
import { ContentCache } from './content-cache.ts'
import { linkOrCopy, type Staging, sizeOf } from './staging.ts'

/** Of the files that are made of content in the database, for who reads files. */
const COPIES_BYTES = 256 * 1024 * 1024

/** Blobs as files: `blobs/` and the first two letters of their hash. What is small is in the database, where it is written with its record. */
export function diskBlobs(directory: string, staging: Staging, { db }: Pick<Database, 'db'>): Blobs {
  const root = join(directory, 'blobs')
  const place = (sha256: string) => join(root, sha256.slice(0, 2), sha256)
  const made = new Set<string>()
  const directories = new SharedSync('directory')
  const makeOnce = (folder: string) => {
    if (made.has(folder)) return
    makeDirectory(folder, 0o700)
    made.add(folder)
  }
  const inDatabase = async (sha256: string): Promise<Buffer | undefined> => {
    const row = await db.selectFrom('blob').select('content').where('sha256', '=', sha256).executeTakeFirst()
    return row?.content ? Buffer.from(row.content) : undefined
  }
  const copies = new ContentCache(staging, COPIES_BYTES, 'The database', async (sha256) => {
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
      if ((await hashFile(path)) === sha256) return { sha256, bytes, path }
      // Damaged, it counts as not held: the client sends it, and that puts it right.
      await rm(path, { force: true })
      return undefined
    },
    async put(blob) {
      if (blob.content) return
      const { sha256, path } = blob
      const final = place(sha256)
      const folder = dirname(final)
      makeOnce(folder)
      try {
        // What is staged is complete: a second name for it is all there at once.
        linkSync(path, final)
        return await directories.sync(folder)
      } catch {
        // It is there already, or the file system has no such thing.
      }
      if ((await isSameFile(path, final)) || (await hashFile(final).catch(() => undefined)) === sha256) return
      makeDirectory(folder, 0o700)
      // By way of a name of its own, so that a copy is never seen half done.
      const own = staging.place()
      await linkOrCopy(path, own)
      await rename(own, final)
      // When both were names of one file, rename does nothing.
      await rm(own, { force: true })
      await directories.sync(folder)
    },
    // At once: others wait for the database meanwhile.
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
    async close() {
      directories.close()
      await copies.close()
      await staging.close()
    },
    async ping() {
      await stat(root).catch(() => stat(directory))
      await staging.ping()
    },
  }
}

/** Files whose hash is remembered: about 100 bytes each. */
const MAX_SOUND = 10_000

/** Tells whether a file is what its name says. Each file is hashed when this process first reads it, and again after it was replaced or written. */
function soundFiles(): (sha256: string, path: string) => Promise<boolean> {
  const sound = new Map<string, string>()
  const hashing = new Map<string, Promise<boolean>>()
  const hash = async (sha256: string, path: string, version: string) => {
    if ((await hashFile(path)) !== sha256) return false
    sound.set(sha256, version)
    const [oldest] = sound.size > MAX_SOUND ? sound.keys() : []
    if (oldest !== undefined) sound.delete(oldest)
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

/** Whether both are names of one file, whose content was hashed when it was staged. */
async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => stat(path).catch(() => undefined)))
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev
}
