import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import type { FileEnds } from '../../files/file-ends.ts'
import { readRegular } from '../../files/open-regular.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'

const MAX_BYTES = 512 * 1024 * 1024
/**
 * The maximum decompressed size of a file's first bytes. A few bytes of malicious Brotli data can inflate to gigabytes. Real text is never
 * compressed by a factor of more than 1000.
 */
const MAX_HEAD_BYTES = 4 * 1024 * 1024
/** Matches control characters that occur in neither scripts nor maps. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
const BINARY = /[\0-\x08\x0e-\x1f]/

/** A compressed file without an additional extension. Some servers expect precompressed files in this form. */
export interface Decompressed {
  content: Buffer
  remark: Problem
}

/**
 * Decompresses a file that was compressed without changing its name.
 * @param from the path or the bytes of the file.
 * @param ends the first bytes of the file.
 * @returns undefined if the file is not compressed.
 * @throws a file system error if the file cannot be read.
 */
export function decompressed(from: string | Uint8Array, { head }: FileEnds, file: string): Decompressed | undefined {
  const isGzip = head[0] === 0x1f && head[1] === 0x8b
  if (!isGzip && !isBrotli(head)) return undefined
  const bytes = typeof from === 'string' ? readRegular(from) : from
  try {
    const limit = { maxOutputLength: MAX_BYTES }
    const content = isGzip ? gunzipSync(bytes, limit) : brotliDecompressSync(bytes, limit)
    const message = t`The file contains ${isGzip ? 'gzip' : 'Brotli'} data. symup uploads the decompressed content.`
    return { content, remark: problem('file-compressed', message, { file }) }
  } catch {
    return undefined // The data is truncated, too large or not compressed.
  }
}

/** Tries to decompress the first bytes, because Brotli data has no signature. */
function isBrotli(head: Buffer): boolean {
  if (!BINARY.test(head.toString('latin1'))) return false
  try {
    const limit = { maxOutputLength: MAX_HEAD_BYTES, finishFlush: constants.BROTLI_OPERATION_FLUSH }
    const text = brotliDecompressSync(head, limit).toString('latin1')
    return text !== '' && !BINARY.test(text)
  } catch {
    return false
  }
}
