import { existsSync, linkSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Blobs, isHash } from './blobs.ts'
import { DirectorySync } from './directory-sync.ts'
import { hashOf, linkOrCopy, type Staging } from './staging.ts'

/** Blobs as files: `blobs/` and the first two letters of their hash. */
export function diskBlobs(directory: string, staging: Staging): Blobs {
  const root = join(directory, 'blobs')
  const place = (sha256: string) => join(root, sha256.slice(0, 2), sha256)
  const made = new Set<string>()
  const directories = new DirectorySync()
  const mkdirOnce = async (folder: string) => {
    if (made.has(folder)) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    made.add(folder)
  }
  return {
    ...staging,
    async stageHeld(sha256) {
      const path = staging.place()
      try {
        await linkOrCopy(place(sha256), path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
      const bytes = (await stat(path)).size
      if ((await hashOf(path)) === sha256) return { sha256, bytes, path }
      // Damaged, it counts as not held: the client sends it, and that puts it right.
      await rm(path, { force: true })
      return undefined
    },
    async put({ sha256, path }) {
      const final = place(sha256)
      const folder = dirname(final)
      await mkdirOnce(folder)
      try {
        // What is staged is complete: a second name for it is all there at once.
        linkSync(path, final)
        return await directories.sync(folder)
      } catch {
        // It is there already, or the file system has no such thing.
      }
      if ((await isSameFile(path, final)) || (await hashOf(final)) === sha256) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
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
    localPath: async (sha256) => place(sha256),
    async close() {
      directories.close()
      await staging.close()
    },
    async ping() {
      await stat(root).catch(() => stat(directory))
      await staging.ping()
    },
  }
}

/** Whether both are names of one file, whose content was hashed when it was staged. */
async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => stat(path).catch(() => undefined)))
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev
}
