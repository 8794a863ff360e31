import { closeSync } from 'node:fs'
import { openRegular } from '../files/open-regular.ts'
import { readInto } from '../files/read-at.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { freeMemory } from '../transport/free-memory.ts'
import { WHOLE_BYTES } from './request-body.ts'

/** Around the files there is the event, and the names of tracked files. */
const MAX_BYTES = WHOLE_BYTES - 256 * 1024

/** An artifact's files with their bytes, read once for whatever looks at them before and while they are sent. */
export interface Loaded {
  parts: FilePart[]
  /** Gives the memory back: what is read of the parts from now on comes from the disk. */
  free(): void
}

/**
 * Reads the files of an artifact that is sent as one buffer. Those of a larger one are left on the disk and read by windows, and so are those
 * that cannot be read, which whoever opens them reports.
 */
export function load({ parts }: SymbolUpload): Loaded {
  const own: (FilePart & { content: Buffer })[] = []
  const free = () => {
    for (const part of own.splice(0)) {
      const { content } = part
      delete (part as FilePart).content
      freeMemory(content)
    }
  }
  if (parts.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BYTES) return { parts, free }
  const loaded = parts.map((part): FilePart => {
    if (part.content) return part
    const read = contentOf(part.path)
    if (!read) return part
    const inMemory = { ...part, ...read }
    own.push(inMemory)
    return inMemory
  })
  return { parts: loaded, free }
}

/** undefined when it cannot be read, or has become too large. */
function contentOf(path: string): { content: Buffer; modified: number } | undefined {
  try {
    const { file, size, modified } = openRegular(path)
    try {
      if (size > MAX_BYTES) return undefined
      // A buffer of its own, whose memory can be given back.
      const content = Buffer.allocUnsafeSlow(size)
      return readInto(file, content, 0) === size ? { content, modified } : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
