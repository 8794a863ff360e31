import { createHash } from 'node:crypto'
import { closeSync, readSync } from 'node:fs'
import { eventLoopYielder } from '../event-loop.ts'
import { openRegular } from './open-regular.ts'

/** Chunks of 256 KiB fit in the CPU cache. */
const CHUNK_BYTES = 256 * 1024
const chunk = Buffer.alloc(CHUNK_BYTES)
/** Limits how long hashing may block the event loop of an intake. */
const MAX_BLOCKED_MS = 5

/**
 * Returns the SHA-256 of a file's content in hexadecimal.
 * @throws a file system error.
 */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  const yieldToEventLoop = eventLoopYielder(MAX_BLOCKED_MS)
  const { file } = openRegular(path)
  try {
    for (;;) {
      const count = readSync(file, chunk, 0, CHUNK_BYTES, null)
      if (count === 0) return hash.digest('hex')
      hash.update(chunk.subarray(0, count))
      await yieldToEventLoop()
    }
  } finally {
    closeSync(file)
  }
}
