import { closeSync } from 'node:fs'
import { openRegular } from '../files/open-regular.ts'
import { readInto } from '../files/read-at.ts'
import { type FilePart, type SymbolUpload, uploadBytes } from '../model/plan.ts'
import { WHOLE_BYTES } from '../send/body.ts'
import type { Budget } from '../send/budget.ts'

/** An artifact's files with their bytes, read once for whatever looks at them before and while they are sent. */
export interface Loaded {
  parts: FilePart[]
  /** Gives the memory back: what is read of the parts from now on comes from the disk. */
  free(): void
}

/** About what a larger artifact has in memory while it is read and sent. */
const STREAM_BYTES = 1024 * 1024

/**
 * Reads the files of an artifact that is sent as one buffer, when there is room for them. Those of a larger one are left on the disk and read in pieces, and so are those
 * that cannot be read, which sending reports, or have another size than they had.
 */
export async function load(upload: SymbolUpload, budget: Budget): Promise<Loaded> {
  const bytes = uploadBytes(upload)
  const taken = bytes > WHOLE_BYTES ? STREAM_BYTES : bytes
  await budget.take(taken)
  let isTaken = true
  const free = () => {
    if (isTaken) budget.give(taken)
    isTaken = false
  }
  if (bytes > WHOLE_BYTES) return { parts: upload.parts, free }
  const own: FilePart[] = []
  const parts = upload.parts.map((part): FilePart => {
    const read = part.content ? undefined : readWhole(part)
    if (!read) return part
    own.push(read)
    return read
  })
  return {
    parts,
    free() {
      for (const part of own) delete part.content
      free()
    },
  }
}

/** @returns undefined when the file cannot be read, or has another size than it had. */
function readWhole(part: FilePart): FilePart | undefined {
  try {
    const { file, size, modified } = openRegular(part.path)
    try {
      const content = Buffer.allocUnsafe(part.bytes)
      return size === part.bytes && readInto(file, content, 0) === size ? { ...part, content, modified } : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
