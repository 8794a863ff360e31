import { createReadStream } from 'node:fs'
import { orFlaw, SourceMapFlaw } from '../../formats/source-map/flaw.ts'
import { JsonScanner, type JsonVisitor } from '../../formats/source-map/json-scanner.ts'
import { t } from '../../text.ts'
import type { ReceivedPart } from '../kind.ts'

/** The maximum file size. The maps of one module usually take up only a few MB. */
const MAX_BYTES = 64 * 1024 * 1024
/** The number of bytes to process before other work can run. Processing this many bytes takes 1 to 2 ms. */
const PIECE_BYTES = 64 * 1024

interface Visitor extends JsonVisitor {
  scanner?: JsonScanner | undefined
}

/**
 * Passes a file's JSON to a visitor, in pieces so that other work can run in between.
 * @returns a sentence that explains why the file is not JSON, or undefined if it is.
 * @throws a file system error.
 */
export async function scanJson({ path, bytes, content }: ReceivedPart, visitor: Visitor): Promise<string | undefined> {
  if (bytes > MAX_BYTES) return t`The file size is ${bytes} bytes, but the limit is ${MAX_BYTES} bytes.`
  const scanner = new JsonScanner(visitor, { strict: true })
  visitor.scanner = scanner
  const pieces = content ? [content] : createReadStream(path, { highWaterMark: PIECE_BYTES })
  for await (const piece of pieces) {
    const flaw = flawOf(() => scanner.push(piece))
    if (flaw !== undefined) return flaw
  }
  return flawOf(() => scanner.end())
}

function flawOf(run: () => void): string | undefined {
  const flaw = orFlaw(run)
  return flaw instanceof SourceMapFlaw ? flaw.message : undefined
}
