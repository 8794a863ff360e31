import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

/** Reads bytes at a position. The result is shorter than `length` only at the end of the file. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/**
 * Fills a buffer synchronously from a position in an open file.
 * @returns the number of bytes read, which is less than the buffer's size only at the end of the file.
 */
export function readInto(file: number, target: Buffer, position: number): number {
  let filled = 0
  while (filled < target.length) {
    const count = readSync(file, target, filled, target.length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return filled
}
