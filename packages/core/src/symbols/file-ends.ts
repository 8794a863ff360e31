import { open } from 'node:fs/promises'
import { readAt } from '../read-at.ts'

/** First and last bytes of a file, read without reading the middle. For a short file both are the whole of it. */
export interface FileEnds {
  /** Size of the file in bytes. */
  bytes: number
  head: Buffer
  tail: Buffer
}

/** @throws the file system's error when the file cannot be read. */
export async function readEnds(path: string, headBytes: number, tailBytes: number): Promise<FileEnds> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = await readAt(file, 0, Math.min(headBytes, size))
    const tail = size <= head.length ? head : await readAt(file, Math.max(0, size - tailBytes), tailBytes)
    return { bytes: size, head, tail }
  } finally {
    await file.close()
  }
}
