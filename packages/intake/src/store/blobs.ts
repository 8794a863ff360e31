import { createHash, randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A file that has arrived but that nothing points to yet. */
export interface StagedBlob {
  sha256: string
  bytes: number
  path: string
}

/** Where kept content is, once the store says so. */
export interface KeptContent {
  sha256: string
  /** Unix milliseconds. */
  keptAt: number
}

/** Content-addressed files, on disk or in S3: the same bytes are kept once. Which of them are in use, the database knows. */
export interface Blobs {
  /** Writes what arrives to a temporary file, hashing it; nothing is visible until it is put. */
  stage(content: AsyncIterable<Buffer>): Promise<StagedBlob>
  /** The same for content that is kept already; undefined when it is not. What is staged stays, even if the kept content goes. */
  stageHeld(sha256: string): Promise<StagedBlob | undefined>
  /** Forgets a staged file; to do so twice is no error. */
  discard(blob: StagedBlob): Promise<void>
  /** Makes a staged file durable under its hash; it stays staged. To do so twice is no error. */
  put(blob: StagedBlob): Promise<void>
  has(sha256: string): Promise<boolean>
  remove(sha256: string): Promise<void>
  list(): AsyncIterable<KeptContent>
  /**
   * Path of a local file with the content, for reading parts of it: open it soon.
   * @throws when it is not kept, or is not what its hash says.
   */
  localPath(sha256: string): Promise<string>
  /** Fails when the store cannot be reached. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The half of a blob store that is on this machine's disk in any case. */
export type Staging = Pick<Blobs, 'stage' | 'discard'> & {
  /** Path of a file that goes with the process. Default: a name that nothing has. */
  place(name?: string): string
  close(): Promise<void>
}

const HASH = /^[0-9a-f]{64}$/

/** @returns whether a name is one that this store gave, as against whatever else lies there. */
export function isHash(name: string): boolean {
  return HASH.test(name)
}

/** What begins the names of files that this process has open. */
const ours = new Set<string>()

/** Opens a place for what arrives, of this process alone; what killed processes left half-written is removed. */
export async function openStaging(directory: string): Promise<Staging> {
  const incoming = join(directory, 'incoming')
  await mkdir(incoming, { recursive: true })
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
      const file = await open(path, 'wx')
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

/**
 * @param address `s3://bucket/prefix?endpoint=…`; without one, files below the directory.
 * @throws when the address is of no blob store.
 */
export async function openBlobs(directory: string, address?: string): Promise<Blobs> {
  const staging = await openStaging(directory)
  if (address === undefined) {
    const { diskBlobs } = await import('./disk-blobs.ts')
    return diskBlobs(directory, staging)
  }
  const { s3Blobs } = await import('./s3-blobs.ts')
  return s3Blobs(address, staging)
}
