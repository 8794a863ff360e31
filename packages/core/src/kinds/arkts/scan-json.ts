import { createReadStream, statSync } from 'node:fs'
import { readRegular } from '../../files/open-regular.ts'
import { orFlaw, SourceMapFlaw } from '../../formats/source-map/flaw.ts'
import { JsonScanner, type JsonVisitor } from '../../formats/source-map/json-scanner.ts'
import { t } from '../../text.ts'
import type { ReceivedPart } from '../kind.ts'

/** The maximum file size. The maps of one module usually take up only a few MB. */
const MAX_BYTES = 64 * 1024 * 1024
/** The maximum length of a name. No operating system allows longer file names. */
const MAX_NAME = 4096
/** The number of bytes to process before other work can run. Processing this many bytes takes 1 to 2 ms. */
const PIECE_BYTES = 64 * 1024

interface Visitor extends JsonVisitor {
  scanner?: JsonScanner | undefined
}

/**
 * Passes a file's JSON to a visitor.
 * @returns a sentence that explains why the file is not JSON, or undefined if it is.
 * @throws a file system error.
 */
export function scanFile(path: string, visitor: Visitor): string | undefined {
  const tooLarge = sizeFlaw(statSync(path).size)
  if (tooLarge !== undefined) return tooLarge
  const scanner = scannerFor(visitor)
  const bytes = readRegular(path)
  return flawOf(() => {
    scanner.push(bytes)
    scanner.end()
  })
}

export async function scanReceived(
  { path, bytes, content }: ReceivedPart,
  visitor: Visitor,
): Promise<string | undefined> {
  const tooLarge = sizeFlaw(bytes)
  if (tooLarge !== undefined) return tooLarge
  const scanner = scannerFor(visitor)
  const pieces = content ? [content] : createReadStream(path, { highWaterMark: PIECE_BYTES })
  for await (const piece of pieces) {
    const flaw = flawOf(() => scanner.push(piece))
    if (flaw !== undefined) return flaw
  }
  return flawOf(() => scanner.end())
}

function scannerFor(visitor: Visitor): JsonScanner {
  const scanner = new JsonScanner(visitor, { strict: true, maxToken: MAX_NAME })
  visitor.scanner = scanner
  return scanner
}

function sizeFlaw(bytes: number): string | undefined {
  return bytes > MAX_BYTES ? t`The file size is ${bytes} bytes, but the limit is ${MAX_BYTES} bytes.` : undefined
}

function flawOf(run: () => void): string | undefined {
  const flaw = orFlaw(run)
  return flaw instanceof SourceMapFlaw ? flaw.message : undefined
}
