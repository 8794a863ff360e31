import { createHash } from 'node:crypto'
import { hashFile } from '../files/hash-file.ts'
import type { SymbolUpload } from '../model/plan.ts'

/** sha256 of each of an artifact's files, in hex; undefined where one cannot be read, which sending reports. */
export async function partHashes({ parts }: SymbolUpload): Promise<string[] | undefined> {
  const hashes: string[] = []
  try {
    for (const { content, path } of parts)
      hashes.push(content ? createHash('sha256').update(content).digest('hex') : await hashFile(path))
    return hashes
  } catch {
    return undefined
  }
}
