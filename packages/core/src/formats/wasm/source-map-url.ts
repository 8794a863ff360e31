import { BinaryError, binaryOf, withBinary } from '../binary.ts'
import { readWasmLayout, uleb } from './wasm.ts'

/** The maximum size of the section, which is large enough for inline maps. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Returns the content of a module's `sourceMappingURL` section, which Emscripten and dart2wasm write. The result is undefined if the
 * section is missing or the file is not a module.
 * @param from the module's path or bytes.
 * @throws a file system error.
 */
export function wasmSourceMapUrl(from: string | Uint8Array): string | undefined {
  const read = (source: ReturnType<typeof binaryOf>): string | undefined => {
    const section = readWasmLayout(source).custom.get('sourceMappingURL')
    if (!section || section.size > MAX_BYTES) return undefined
    const bytes = source.read(section.offset, section.size)
    const { value, next } = uleb(bytes, 0)
    return bytes.toString('utf8', next, next + value)
  }
  try {
    return typeof from === 'string' ? withBinary(from, read) : read(binaryOf(from))
  } catch (error) {
    if (error instanceof BinaryError) return undefined
    throw error
  }
}
