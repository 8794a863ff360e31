import { createHash, type Hash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { openRegular } from '../files/open-regular.ts'
import { readInto } from '../files/read-at.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { t } from '../text.ts'
import type { Multipart } from './multipart.ts'
import { areKnown, rememberHashes } from './part-hashes.ts'

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
  read(target: Buffer): number
  close(): void
}

interface Piece {
  length: number
  fill(target: Buffer, from: number): void
}

/**
 * Opens every file of an artifact. Reading is synchronous: what a build has just written is in the page cache, from where a copy is
 * quicker than the way to the thread pool and back, whose threads are busy compressing.
 * @param hashes remember the hashes of the parts, for {@link partHashes}, once all have been read.
 * @throws UnreadableFile
 */
export function openSource(
  upload: SymbolUpload,
  { contentType, pieces: framed }: Multipart,
  hashes: boolean,
): BodySource {
  const isWhole = upload.parts.every((part) => framed.includes(part))
  let hashed = hashes && isWhole && !areKnown(upload) ? upload.parts.map(() => createHash('sha256')) : undefined
  const files: number[] = []
  const close = () => {
    for (const file of files.splice(0)) closeSync(file)
  }
  try {
    const pieces = framed.map((piece) => {
      if (Buffer.isBuffer(piece)) return inMemory(piece)
      const part = piece.content ? inMemory(piece.content) : onDisk(piece, files)
      const hash = hashed?.[upload.parts.indexOf(piece)]
      return hash ? hashing(part, hash) : part
    })
    let index = 0
    let offset = 0
    return {
      contentType,
      length: pieces.reduce((sum, piece) => sum + piece.length, 0),
      close,
      read(target) {
        let filled = 0
        while (filled < target.length && index < pieces.length) {
          const piece = pieces[index] as Piece
          const count = Math.min(piece.length - offset, target.length - filled)
          if (count > 0) piece.fill(target.subarray(filled, filled + count), offset)
          filled += count
          offset += count
          if (offset === piece.length) {
            index++
            offset = 0
          }
        }
        if (hashed && index === pieces.length) {
          const digests = hashed.map((hash) => hash.digest('hex'))
          rememberHashes(upload, digests)
          hashed = undefined
        }
        return filled
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Hashes what is read; pieces are read from their beginning to their end. */
function hashing({ length, fill }: Piece, hash: Hash): Piece {
  return {
    length,
    fill(target, from) {
      fill(target, from)
      hash.update(target)
    },
  }
}

function inMemory(bytes: Uint8Array): Piece {
  return {
    length: bytes.length,
    fill: (target, from) => target.set(bytes.subarray(from, from + target.length)),
  }
}

/** The size is taken when the file is opened: what is read is what was there then. */
function onDisk({ path }: FilePart, files: number[]): Piece {
  const { file, size } = readable(path, () => openRegular(path))
  files.push(file)
  return {
    length: size,
    fill(target, from) {
      const filled = readable(path, () => readInto(file, target, from))
      if (filled < target.length) throw new UnreadableFile(path, 'TRUNCATED')
    },
  }
}

function readable<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new UnreadableFile(path, (error as NodeJS.ErrnoException).code ?? t`unknown error`)
  }
}
