import { openRegularHandle } from './open-regular.ts'
import { readAt } from './read-at.ts'

const PIECE_BYTES = 1024 * 1024

/** Reads a file in pieces of at most 1 MiB, which is faster than a read stream for many small files. */
export async function* readPieces(path: string): AsyncGenerator<Buffer> {
  const file = await openRegularHandle(path)
  try {
    const { size } = await file.stat()
    for (let position = 0; position < size; ) {
      const piece = await readAt(file, position, Math.min(PIECE_BYTES, size - position))
      if (piece.length === 0) return
      position += piece.length
      yield piece
    }
  } finally {
    await file.close()
  }
}
