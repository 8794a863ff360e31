import { t } from '../../text.ts'
import { BinaryError, type BinarySource } from '../binary.ts'

/** The layout of a WebAssembly module. Source: WebAssembly core specification, chapter 5. */
export interface WasmLayout {
  /** The custom sections, keyed by name. If several sections have the same name, the last one takes precedence. */
  custom: ReadonlyMap<string, WasmRange>
  /** The content of the code section. Addresses in debug information are relative to its start. */
  code?: WasmRange
  imports?: WasmRange
  /** The content of the `build_id` section in lower-case hexadecimal. */
  buildId?: string
}

export interface WasmRange {
  offset: number
  size: number
}

const MAGIC = Buffer.from('\0asm\x01\0\0\0', 'latin1')
const CUSTOM = 0
const IMPORTS = 2
const CODE = 10
const MAX_SECTIONS = 1000
const MAX_NAME = 1024
const MAX_BUILD_ID = 64

export function isWasm(head: Buffer): boolean {
  return head.subarray(0, 4).equals(MAGIC.subarray(0, 4))
}

/** @throws BinaryError if the file is not a WebAssembly module, is truncated or is damaged. */
export function readWasmLayout(source: BinarySource): WasmLayout {
  const head = source.read(0, 8)
  if (head.length === 0) throw new BinaryError('empty', t`The file is empty.`)
  if (!isWasm(head)) throw new BinaryError('other-format', t`The file is not a WebAssembly module.`)
  if (!head.equals(MAGIC)) throw new BinaryError('damaged', t`The WebAssembly version of the file is not 1.`)
  const custom = new Map<string, WasmRange>()
  const layout: WasmLayout = { custom }
  let sections = 0
  for (let at = 8; at < source.size; ) {
    if (sections++ === MAX_SECTIONS) throw new BinaryError('damaged', t`The file has too many sections.`)
    const start = source.read(at, 6)
    const size = uleb(start, 1)
    const offset = at + size.next
    if (offset + size.value > source.size)
      throw new BinaryError('truncated', t`The file is truncated: a section is incomplete.`)
    const range = { offset, size: size.value }
    if (start[0] === CODE) layout.code = range
    else if (start[0] === IMPORTS) layout.imports = range
    else if (start[0] === CUSTOM) {
      const bytes = source.read(offset, Math.min(size.value, MAX_NAME))
      const length = uleb(bytes, 0)
      const name = bytes.toString('utf8', length.next, length.next + length.value)
      const skipped = length.next + length.value
      if (skipped > size.value)
        throw new BinaryError('damaged', t`The name of a section is longer than the section itself.`)
      custom.set(name, { offset: offset + skipped, size: size.value - skipped })
    }
    at = offset + size.value
  }
  const id = custom.get('build_id')
  if (!id) return layout
  const bytes = source.read(id.offset, Math.min(id.size, MAX_BUILD_ID + 2))
  const length = uleb(bytes, 0)
  const buildId = bytes.toString('hex', length.next, length.next + length.value)
  return buildId === '' ? layout : { ...layout, buildId }
}

/**
 * Reads an unsigned LEB128 number of at most 32 bits.
 * @throws BinaryError if the number is incomplete or has more than 32 bits.
 */
export function uleb(bytes: Buffer, at: number): { value: number; next: number } {
  let value = 0
  for (let index = 0; index < 5; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) break
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return { value, next: at + index + 1 }
  }
  throw new BinaryError('damaged', t`The file contains an incomplete number.`)
}
