import { closeSync } from 'node:fs'
import { openRegular } from '../files/open-regular.ts'
import { readInto } from '../files/read-at.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import type { Arena } from './arena.ts'
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
 * that cannot be read, which whoever opens them reports, or have another size than they had.
 */
export async function load({ parts }: SymbolUpload, arena: Arena): Promise<Loaded> {
  const length = parts.reduce((sum, { content, bytes }) => sum + (content ? 0 : bytes), 0)
  if (length === 0 || length > MAX_BYTES) return { parts, free: () => undefined }
  const memory = await arena.take(length)
  let isTaken = true
  const own: FilePart[] = []
  let at = 0
  const loaded = parts.map((part): FilePart => {
    if (part.content) return part
    const content = memory.subarray(at, at + part.bytes)
    at += part.bytes
    const modified = readWhole(part.path, content)
    if (modified === undefined) return part
    const inMemory = { ...part, content, modified }
    own.push(inMemory)
    return inMemory
  })
  return {
    parts: loaded,
    free() {
      for (const part of own) delete part.content
      if (isTaken) arena.give(memory)
      isTaken = false
    },
  }
}

/** @returns when the file was last changed; undefined when it cannot be read, or does not fill the memory. */
function readWhole(path: string, target: Buffer): number | undefined {
  try {
    const { file, size, modified } = openRegular(path)
    try {
      return size === target.length && readInto(file, target, 0) === size ? modified : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
