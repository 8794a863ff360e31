import { open, stat } from 'node:fs/promises'
import { readAt } from '@symup/core/resolving'

/** A file whose parts can be read in any order: symbol files are large and are never held whole. */
export interface StoredBytes {
  /** Bytes. */
  size: number
  /** Fewer bytes than asked for only where the file ends. */
  read(position: number, length: number): Promise<Uint8Array>
  /** Of a file on disk: another thread opens it itself. */
  path?: string
  /** What is in memory already. */
  bytes?: Uint8Array
}

/** Bytes that are in memory already. */
export function bytesInMemory(bytes: Uint8Array): StoredBytes {
  return { bytes, size: bytes.length, read: async (position, length) => bytes.subarray(position, position + length) }
}

/**
 * A file on disk; opened for each read, so that nothing has to be closed.
 * @throws the file system's error when the file cannot be read.
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
