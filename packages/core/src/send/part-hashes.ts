import { createHash } from 'node:crypto'
import { hashFile } from '../files/hash-file.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'

const known = new WeakMap<SymbolUpload, Promise<string[]>>()

/** sha256 of each of an artifact's files, in hex; read once however often it is asked. Rejects with what reading says. */
export function partHashes(upload: SymbolUpload): Promise<string[]> {
  let hashes = known.get(upload)
  if (!hashes) {
    hashes = hashAll(upload.parts)
    known.set(upload, hashes)
  }
  return hashes
}

/** Takes the hashes of the parts as they were read for sending, in the parts' order. */
export function rememberHashes(upload: SymbolUpload, hashes: string[]): void {
  if (!known.has(upload)) known.set(upload, Promise.resolve(hashes))
}

export function areKnown(upload: SymbolUpload): boolean {
  return known.has(upload)
}

async function hashAll(parts: readonly FilePart[]): Promise<string[]> {
  const hashes: string[] = []
  for (const part of parts) {
    hashes.push(part.content ? createHash('sha256').update(part.content).digest('hex') : await hashFile(part.path))
  }
  return hashes
}
