import { type FileHandle, open } from 'node:fs/promises'
import type { FilePart, SymbolUpload } from '../plan.ts'
import { type Multipart, multipart } from './multipart.ts'

/** Thrown while reading an artifact's files; `code` is the system's, or `TRUNCATED`: it became shorter while being read. */
export class UnreadableFile extends Error {
  readonly path: string
  readonly code: string

  constructor(path: string, code: string) {
    super(`${path}: ${code}`)
    this.path = path
    this.code = code
  }
}

/** The bytes of one artifact's request body before compression; its files are open until `close`. */
export interface BodySource {
  contentType: string
  /** Bytes in all. */
  length: number
  /** Fills `target` with the next bytes of the body, as many as fit, and says how many; 0 at its end. */
  read(target: Buffer): Promise<number>
  close(): Promise<void>
}

interface Piece {
  length: number
  fill(target: Buffer, from: number): Promise<void>
}

/** Opens every file of an artifact. Throws {@link UnreadableFile}. */
export async function openSource(upload: SymbolUpload): Promise<BodySource> {
  const { contentType, pieces: framed } = multipart(upload)
  const handles: FileHandle[] = []
  const close = async () => {
    await Promise.all(handles.map((handle) => handle.close()))
  }
  try {
    const pieces = await openPieces(framed, handles)
    let index = 0
    let offset = 0
    return {
      contentType,
      length: pieces.reduce((sum, piece) => sum + piece.length, 0),
      close,
      async read(target) {
        let filled = 0
        while (filled < target.length && index < pieces.length) {
          const piece = pieces[index] as Piece
          const count = Math.min(piece.length - offset, target.length - filled)
          if (count > 0) await piece.fill(target.subarray(filled, filled + count), offset)
          filled += count
          offset += count
          if (offset === piece.length) {
            index++
            offset = 0
          }
        }
        return filled
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openPieces(framed: Multipart['pieces'], handles: FileHandle[]): Promise<Piece[]> {
  const pieces: Piece[] = []
  for (const piece of framed) {
    if (Buffer.isBuffer(piece)) pieces.push(inMemory(piece))
    else if (piece.content) pieces.push(inMemory(piece.content))
    else pieces.push(await onDisk(piece, handles))
  }
  return pieces
}

function inMemory(bytes: Uint8Array): Piece {
  return {
    length: bytes.length,
    async fill(target, from) {
      target.set(bytes.subarray(from, from + target.length))
    },
  }
}

/** The size is taken when the file is opened: what is read is what was there then. */
async function onDisk({ path }: FilePart, handles: FileHandle[]): Promise<Piece> {
  const handle = await readable(path, () => open(path))
  handles.push(handle)
  const { size } = await readable(path, () => handle.stat())
  return {
    length: size,
    async fill(target, from) {
      for (let filled = 0; filled < target.length; ) {
        const { bytesRead } = await readable(path, () =>
          handle.read(target, filled, target.length - filled, from + filled),
        )
        if (bytesRead === 0) throw new UnreadableFile(path, 'TRUNCATED')
        filled += bytesRead
      }
    },
  }
}

async function readable<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw new UnreadableFile(path, (error as NodeJS.ErrnoException).code ?? 'unknown error')
  }
}
