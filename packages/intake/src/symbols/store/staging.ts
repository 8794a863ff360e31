import { createHash, randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from './blobs.ts'

/** The half of a blob store that is on this machine's disk in any case. */
export type Staging = Pick<Blobs, 'stage' | 'discard'> & {
  /** Path of a file that goes with the process. Default: a name that nothing has. */
  place(name?: string): string
  close(): Promise<void>
}

/** What begins the names of files that this process has open. */
const ours = new Set<string>()

/** Opens a place for what arrives, of this process alone; what killed processes left half-written is removed. */
export async function openStaging(directory: string): Promise<Staging> {
  const incoming = join(directory, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  for (const name of await readdir(incoming)) {
    const owner = /^\d+-[\da-f]{8}-/.exec(name)?.[0]
    if (owner === undefined || !(ours.has(owner) || isRunning(owner))) await rm(join(incoming, name), { force: true })
  }
  const own = `${process.pid}-${randomUUID().slice(0, 8)}-`
  ours.add(own)
  const place = (name: string = randomUUID()) => join(incoming, own + name)
  return {
    place,
    async stage(content) {
      const path = place()
      const hash = createHash('sha256')
      const file = await open(path, 'wx', 0o600)
      let bytes = 0
      try {
        for await (const chunk of content) {
          hash.update(chunk)
          bytes += chunk.length
          await file.writeFile(chunk)
        }
        await file.sync()
      } catch (error) {
        await rm(path, { force: true })
        throw error
      } finally {
        await file.close()
      }
      return { sha256: hash.digest('hex'), bytes, path }
    },
    discard: ({ path }) => rm(path, { force: true }),
    async close() {
      ours.delete(own)
      for (const name of await readdir(incoming))
        if (name.startsWith(own)) await rm(join(incoming, name), { force: true })
    },
  }
}

/** By the process id that it begins with; a file with this process's own id that is not ours was another's. */
function isRunning(name: string): boolean {
  const id = Number.parseInt(name, 10)
  if (!(id > 0) || id === process.pid) return false
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A second name for a file, or a copy where the file system has no such thing. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || code === 'ENOENT') throw error
    await copyFile(from, to)
  }
}

export async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
}
