import { open, stat } from 'node:fs/promises'
import { readAt } from '@symup/core/resolving'

/** A file with random access, because symbol files are too large to load completely. */
export interface StoredBytes {
  /** In bytes. */
  size: number
  /** Returns fewer bytes than requested only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>
  /** Path of a file on disk, which another thread can open itself. */
  path?: string
  /** The bytes, if they are in memory. */
  bytes?: Uint8Array
}

/** Wraps bytes in memory. */
export function bytesInMemory(bytes: Uint8Array): StoredBytes {
  return { bytes, size: bytes.length, read: async (position, length) => bytes.subarray(position, position + length) }
}

/**
 * A file on disk. It is opened for each read, so nothing has to be closed.
 * @throws the file system's error if the file cannot be read.
 */
export async function bytesInFile(path: string): Promise<StoredBytes> {
  const { size } = await stat(path)
  return {
    path,
    size,
    async read(position, length) {
      const file = await open(path)
      try {
        return await readAt(file, position, Math.max(0, Math.min(length, size - position)))
      } finally {
        await file.close()
      }
    },
  }
}
