import { closeSync } from 'node:fs'
import { openRegular } from '../files/open-regular.ts'
import { readInto } from '../files/read-at.ts'
import { type FilePart, type SymbolUpload, uploadBytes } from '../model/plan.ts'
import { WHOLE_BYTES } from '../send/body.ts'

/** The files of an artifact and their content. The content is read only once for both the check and the upload. */
export interface Loaded {
  parts: FilePart[]
  /** Frees the memory. Afterwards, the sender reads the parts from disk. */
  free(): void
}

/** The approximate memory needed to read and send an artifact that is too large to load. */
const STREAM_BYTES = 1024 * 1024

/**
 * Reads an artifact's files into memory as soon as the budget allows it. The files stay on disk if the artifact is too large or if their
 * size has changed. Unreadable files also stay on disk, because the upload reports them.
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

/** @returns undefined if the file cannot be read, or if its size has changed. */
function readWhole(part: FilePart): FilePart | undefined {
  try {
    const { file, size } = openRegular(part.path)
    try {
      const content = Buffer.allocUnsafe(part.bytes)
      return size === part.bytes && readInto(file, content, 0) === size ? { ...part, content } : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

/** Limits the number of bytes held in memory. When the budget is used up, callers wait and are served in order of arrival. */
export class Budget {
  #left: number
  readonly #waiting: { bytes: number; resolve(): void }[] = []

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** @param bytes must not exceed the size of the whole budget. */
  take(bytes: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ bytes, resolve })
      this.#serve()
    })
  }

  give(bytes: number): void {
    this.#left += bytes
    this.#serve()
  }

  #serve(): void {
    for (let next = this.#waiting[0]; next && next.bytes <= this.#left; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#left -= next.bytes
      next.resolve()
    }
  }
}
