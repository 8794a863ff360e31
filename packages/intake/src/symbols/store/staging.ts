import { createHash, randomUUID } from 'node:crypto'
import fs, { closeSync, linkSync, unlinkSync, writeFileSync } from 'node:fs'
import { copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeDirectory, syncData } from '@symup/core/internal'
import type { Blobs, StagedBlob } from './blobs.ts'
import { openOwners } from './owners.ts'

/** The half of a blob store that is on this machine's disk in any case. */
export type Staging = Pick<Blobs, 'stage' | 'discard'> & {
  /** Fails when the disk takes nothing more. */
  ping(): Promise<void>
  /** Path of a file that goes with the process. Default: a name that nothing has. */
  place(name?: string): string
  close(): Promise<void>
}

/** What arrives is written in pieces of this size: each write goes through the thread pool and back. */
const WRITTEN_BYTES = 512 * 1024

/** Of descriptors: to close a file takes less than to ask another thread to. To make one waits for whatever else the disk is told to keep. */
const [openFile, writePieces, writeRest] = [promisify(fs.open), promisify(fs.writev), promisify(fs.writeFile)]

/** A full disk often has room for a few bytes. */
const PING = Buffer.alloc(64 * 1024)

/**
 * Opens a place for what arrives, of this process alone; what killed processes left half-written is removed.
 * @param inMemory bytes up to which what arrives stays in memory.
 */
export async function openStaging(directory: string, inMemory = 0): Promise<Staging> {
  const incoming = join(directory, 'incoming')
  makeDirectory(incoming, 0o700)
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
      await owners.close()
      for (const name of await readdir(incoming))
        if (name.startsWith(own)) await rm(join(incoming, name), { force: true })
    },
  }
}

/** Without copying them together: only what the system did not take at once, such as on a disk that is nearly full, is written as one. */
async function writeAll(file: number, pieces: Buffer[], bytes: number): Promise<void> {
  if (bytes === 0) return
  const { bytesWritten } = await writePieces(file, pieces)
  if (bytesWritten < bytes) await writeRest(file, joined(pieces, bytes).subarray(bytesWritten))
}

function joined(pieces: readonly Buffer[], bytes: number): Buffer {
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, bytes)
}

/** Content that has arrived and that no file has, unless somebody needs one. */
class BlobInMemory implements StagedBlob {
  readonly sha256: string
  readonly bytes: number
  readonly content: Buffer
  readonly #path: string
  #isWritten = false

  /** @param path where a file is written if one is needed. */
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

/** Half the system calls of `rm`. */
function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** A second name for a file, or a copy where the file system has no such thing. */
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
