import { createHash } from 'node:crypto'
import { hashFile } from '../files/hash-file.ts'
import type { SymbolUpload } from '../model/plan.ts'

/**
 * SHA-256 of each file of an artifact, in hex; undefined if a file cannot be read. The upload reports unreadable files.
 */
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
