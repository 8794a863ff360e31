import { BinaryError, type BinarySource, binaryOf, type ElfSection } from '@symup/core/resolving'
import xz from 'xz-decompress'

/** The maximum size of `.gnu_debugdata` in bytes, both compressed and inflated. In Fedora, such sections are a few hundred KB in size. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Inflates `.gnu_debugdata` (MiniDebugInfo), an ELF file compressed with xz. Its symbol table contains functions that a stripped library
 * does not export. Node.js cannot decompress xz, so symup uses `xz-decompress`, the only maintained library without native code.
 * @throws BinaryError 'damaged' if the data is invalid or too large.
 */
export async function inflateMiniDebugInfo(source: BinarySource, { offset, size }: ElfSection): Promise<BinarySource> {
  if (size > MAX_BYTES) throw new BinaryError('damaged', 'The MiniDebugInfo is too large.')
  const packed = Buffer.from(source.read(offset, size))
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    const stream = new xz.XzReadableStream(new Blob([packed]).stream() as never)
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new BinaryError('damaged', 'The MiniDebugInfo is too large.')
      chunks.push(Buffer.from(chunk))
    }
  } catch {
    throw new BinaryError('damaged', 'The MiniDebugInfo cannot be decompressed.')
  }
  return binaryOf(Buffer.concat(chunks))
}
