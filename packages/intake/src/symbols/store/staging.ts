import { createHash, randomUUID } from 'node:crypto'
import fs, { closeSync, linkSync, unlinkSync, writeFileSync } from 'node:fs'
import { copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeDirectory, syncData } from '@symup/core/internal'
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

/**
 * Files are closed synchronously, because closing them in a thread would be more expensive. Files are created asynchronously, because
 * creating a file may have to wait for other disk writes.
 */
const [openFile, writePieces, writeRest] = [promisify(fs.open), promisify(fs.writev), promisify(fs.writeFile)]

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
      let file: number | undefined
      let bytes = 0
      let waiting: Buffer[] = []
      let waitingBytes = 0
      const write = async () => {
        file ??= await openFile(path, 'wx', 0o600)
        await writeAll(file, waiting, waitingBytes)
        waiting = []
        waitingBytes = 0
      }
      try {
        for await (const chunk of content) {
          hash.update(chunk)
          bytes += chunk.length
          waiting.push(chunk)
          waitingBytes += chunk.length
          if (waitingBytes < WRITTEN_BYTES) continue
          await write()
        }
        if (file === undefined && bytes <= inMemory)
          return new BlobInMemory(hash.digest('hex'), joined(waiting, bytes), path)
        if (file === undefined || waitingBytes > 0) await write()
        if (file !== undefined) await syncData(file)
      } catch (error) {
        await rm(path, { force: true })
        throw error
      } finally {
        if (file !== undefined) closeSync(file)
      }
      return { sha256: hash.digest('hex'), bytes, path }
    },
    discard: async (blob) => (blob instanceof BlobInMemory ? blob.discard() : unlinkIfThere(blob.path)),
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

/**
 * Writes all pieces with a single call. If some bytes were not written, for example because the disk is nearly full, a second call writes
 * the rest.
 */
async function writeAll(file: number, pieces: Buffer[], bytes: number): Promise<void> {
  if (bytes === 0) return
  const { bytesWritten } = await writePieces(file, pieces)
  if (bytesWritten < bytes) await writeRest(file, joined(pieces, bytes).subarray(bytesWritten))
}

function joined(pieces: readonly Buffer[], bytes: number): Buffer {
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, bytes)
}

/** Content in memory that is written to a file only when a caller needs a file. */
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
    if (this.#isWritten) unlinkIfThere(this.#path)
  }
}

/** Deletes a file with half as many system calls as `rm`. */
function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
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
