import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** A file that has arrived but that nothing points to yet. */
export interface StagedBlob {
  sha256: string
  bytes: number
  path: string
}

/** Content-addressed files: the same bytes are kept once. */
export interface Blobs {
  /** Writes what arrives to a temporary file, hashing it; nothing is visible until it is kept. */
  stage(content: AsyncIterable<Buffer>): Promise<StagedBlob>
  /** The same for content that is kept already; undefined when it is not. What is staged stays, even if the kept file goes. */
  stageHeld(sha256: string): Promise<StagedBlob | undefined>
  /** Makes a staged file durable under its hash. */
  keep(blob: StagedBlob): Promise<void>
  discard(blob: StagedBlob): Promise<void>
  read(sha256: string): Readable
  /** Where a kept file is, for reading parts of it. */
  path(sha256: string): string
}

/** Opens the store below a directory; what a killed process left half-written is removed. */
export async function openBlobs(directory: string): Promise<Blobs> {
  const incoming = join(directory, 'incoming')
  await rm(incoming, { recursive: true, force: true })
  await mkdir(incoming, { recursive: true })
  const place = (sha256: string) => join(directory, 'blobs', sha256.slice(0, 2), sha256)
  return {
    async stage(content) {
      const path = join(incoming, randomUUID())
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
    async stageHeld(sha256) {
      const path = join(incoming, randomUUID())
      try {
        await link(place(sha256), path)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOENT') return undefined
        // Some file systems have no hard links.
        await copyFile(place(sha256), path)
      }
      return { sha256, bytes: (await stat(path)).size, path }
    },
    async keep({ sha256, path }) {
      const final = place(sha256)
      if (await exists(final)) return rm(path, { force: true })
      await mkdir(join(final, '..'), { recursive: true })
      await rename(path, final)
      await syncDirectory(join(final, '..'))
    },
    discard: ({ path }) => rm(path, { force: true }),
    read: (sha256) => createReadStream(place(sha256)),
    path: place,
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** A rename is durable only when its directory is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } catch {
    // Some file systems cannot sync a directory; they have nothing better to offer.
  } finally {
    await directory.close()
  }
}
