import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from './blobs.ts'
import { openOwners } from './owners.ts'

/** The half of a blob store that is on this machine's disk in any case. */
export type Staging = Pick<Blobs, 'stage' | 'discard'> & {
  /** Fails when the disk takes nothing more. */
  ping(): Promise<void>
  /** Path of a file that goes with the process. Default: a name that nothing has. */
  place(name?: string): string
  close(): Promise<void>
}

/** A full disk often has room for a few bytes. */
const PING = Buffer.alloc(64 * 1024)

/** Opens a place for what arrives, of this process alone; what killed processes left half-written is removed. */
export async function openStaging(directory: string): Promise<Staging> {
  const incoming = join(directory, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  const owners = await openOwners(join(directory, 'owners'))
  const { own } = owners
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const found = await stat(path).catch(() => undefined)
    if (found && (await owners.isAbandoned(name, found.mtimeMs))) await rm(path, { force: true })
  }
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
    async ping() {
      const path = place()
      try {
        await writeFile(path, PING, { mode: 0o600 })
      } finally {
        await rm(path, { force: true })
      }
    },
    async close() {
      await owners.close()
      for (const name of await readdir(incoming))
        if (name.startsWith(own)) await rm(join(incoming, name), { force: true })
    },
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

/** SHA-256 of a file's content; undefined when it is not there. */
export async function hashOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('hex')
}

export async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
}
