import { createHash } from 'node:crypto'
import { readPieces } from './read-pieces.ts'

/**
 * Returns the SHA-256 of a file's content in hexadecimal.
 * @throws a file system error.
 */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of readPieces(path)) hash.update(piece)
  return hash.digest('hex')
}
