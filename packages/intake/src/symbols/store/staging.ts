import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, linkSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeDirectory } from '@symup/core/internal'
import type { Blobs, StagedBlob } from './blobs.ts'

/** The operations of a blob store that always use the local disk. */
export type Staging = Pick<Blobs, 'stage' | 'discard'> & {
  /** Rejects if no more data can be written to the disk. */
  ping(): Promise<void>
  /** Returns the path of a file that is deleted when the process ends. By default, the name is unique. */
  place(name?: string): string
  close(): Promise<void>
}

/** Number of bytes per write. Each write requires a round trip to the thread pool. */
const WRITTEN_BYTES = 512 * 1024

/** Content that the check writes. A few bytes would not be enough, because a full disk often has room for them. */
const PING = Buffer.alloc(64 * 1024)

/** Files older than this are deleted. Newer files may belong to another process that shares the directory. No upload takes this long. */
const MAX_AGE_MS = 86_400_000

/**
 * Opens the staging directory and deletes files that are more than one day old. These files are leftovers from killed processes.
 * @param inMemory maximum size in bytes of content that stays in memory.
 */
export async function openStaging(directory: string, inMemory = 0): Promise<Staging> {
  const incoming = join(directory, 'incoming')
  makeDirectory(incoming, 0o700)
  const own = `${randomUUID()}-`
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    // Check the change time, because a link to stored content has the modification time of that content.
    const found = await stat(path).catch(() => undefined)
    if (found && found.ctimeMs < Date.now() - MAX_AGE_MS) await rm(path, { force: true })
  }
  const place = (name: string = randomUUID()) => join(incoming, own + name)
  return {
    place,
    async stage(content) {
      const path = place()
      const hash = createHash('sha256')
      let bytes = 0
      const hashed = (async function* () {
        for await (const chunk of content) {
          hash.update(chunk)
          bytes += chunk.length
          yield chunk
        }
      })()
      const start: Buffer[] = []
      while (bytes <= inMemory) {
        const { done, value } = await hashed.next()
        if (done) return new BlobInMemory(hash.digest('hex'), Buffer.concat(start), path)
        start.push(value)
      }
      const all = async function* () {
        yield* start
        yield* hashed
      }
      try {
        const options = { flags: 'wx', mode: 0o600, flush: true, highWaterMark: WRITTEN_BYTES }
        await pipeline(all, createWriteStream(path, options))
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
      return { sha256: hash.digest('hex'), bytes, path }
    },
    discard: async (blob) => (blob instanceof BlobInMemory ? blob.discard() : rm(blob.path, { force: true })),
    async ping() {
      const path = place()
      try {
        await writeFile(path, PING, { mode: 0o600 })
      } finally {
        await rm(path, { force: true })
      }
    },
    async close() {
      for (const name of await readdir(incoming))
        if (name.startsWith(own)) await rm(join(incoming, name), { force: true })
    },
  }
}

/** Content in memory that is written to a file only if a caller needs a file. */
class BlobInMemory implements StagedBlob {
  readonly sha256: string
  readonly bytes: number
  readonly content: Buffer
  readonly #path: string
  #isWritten = false

  constructor(sha256: string, content: Buffer, path: string) {
    this.sha256 = sha256
    this.bytes = content.length
    this.content = content
    this.#path = path
  }

  get path(): string {
    if (!this.#isWritten) writeFileSync(this.#path, this.content, { flag: 'wx', mode: 0o600 })
    this.#isWritten = true
    return this.#path
  }

  discard(): void {
    if (this.#isWritten) rmSync(this.#path, { force: true })
  }
}

export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    linkSync(from, to)
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
