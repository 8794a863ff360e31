import { readFile, stat } from 'node:fs/promises'
import { type ByteSource, MemoryBytes, withFileBytes } from '@symup/core/resolving'

/** Content, either as bytes or as the path of a file that other threads can open. */
export type StoredContent = string | Uint8Array

/** @throws the file system error if the file cannot be read. */
export function withContent<T>(content: StoredContent, use: (bytes: ByteSource) => T): T {
  return typeof content === 'string' ? withFileBytes(content, use) : use(new MemoryBytes(content))
}

/**
 * @returns undefined if the content exceeds the limit.
 * @throws the file system error if the file cannot be read.
 */
export async function readContent(content: StoredContent, limit: number): Promise<Uint8Array | undefined> {
  const size = typeof content === 'string' ? (await stat(content)).size : content.length
  if (size > limit) return undefined
  return typeof content === 'string' ? readFile(content) : content
}
