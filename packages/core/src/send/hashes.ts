import { createHash } from 'node:crypto'
import { hashFile } from '../files/hash-file.ts'
import type { SymbolUpload } from '../model/plan.ts'

const known = new WeakMap<SymbolUpload, Promise<string[]>>()

/** sha256 of each of an artifact's files, in hex; read once however often it is asked. Rejects with the file system's error. */
export function partHashes(upload: SymbolUpload): Promise<string[]> {
  const hashes = known.get(upload) ?? hashAll(upload)
  known.set(upload, hashes)
  return hashes
}

async function hashAll({ parts }: SymbolUpload): Promise<string[]> {
  const hashes: string[] = []
  for (const { content, path } of parts)
    hashes.push(content ? createHash('sha256').update(content).digest('hex') : await hashFile(path))
  return hashes
}
