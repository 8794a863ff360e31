import { closeSync, openSync, readSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'

/** A file whose parts can be read in any order: symbol files are large and are never held whole. */
export interface StoredBytes {
  /** Bytes. */
  size: number
  /** Fewer bytes than asked for only where the file ends. */
  read(position: number, length: number): Promise<Uint8Array>
}

/** Bytes that are in memory already. */
export function bytesInMemory(bytes: Uint8Array): StoredBytes {
  return { size: bytes.length, read: async (position, length) => bytes.subarray(position, position + length) }
}

/** A way to the thread pool and back takes longer than reading this much of a file. */
const SMALL = 64 * 1024

/**
 * A file on disk; opened for each read, so that nothing has to be closed.
 * @throws the file system's error when the file cannot be read.
 */
export async function bytesInFile(path: string): Promise<StoredBytes> {
  const { size } = await stat(path)
  return {
    size,
    async read(position, length) {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - position)))
      return buffer.length <= SMALL ? readNow(path, buffer, position) : readSoon(path, buffer, position)
    },
  }
}

function readNow(path: string, buffer: Buffer, position: number): Buffer {
  const file = openSync(path, 'r')
  try {
    let filled = 0
    while (filled < buffer.length) {
      const bytesRead = readSync(file, buffer, filled, buffer.length - filled, position + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}

async function readSoon(path: string, buffer: Buffer, position: number): Promise<Buffer> {
  const file = await open(path)
  try {
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  } finally {
    await file.close()
  }
}
