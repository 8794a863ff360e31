import { deflateSync } from 'node:zlib'

/** An empty map whose only section begins at a line. */
export const farSection = (line: number) =>
  JSON.stringify({
    version: 3,
    sections: [{ offset: { line, column: 0 }, map: { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' } }],
  })

export const mapOf = (mappings: string, sourcesContent?: string[]) =>
  JSON.stringify({ version: 3, sources: ['a.ts'], names: [], ...(sourcesContent && { sourcesContent }), mappings })

/** One class with one method that has this many lines. */
export const longMethod = (lines: number) =>
  `a.Original -> a.a:\n${Array.from({ length: lines }, (_, i) => `    ${i + 1}:${i + 1}:void m${i}():${i + 1} -> a`).join('\n')}\n`

const BUILD_ID = 'ab'.repeat(20)

/** Bytes of code in each compilation unit. */
const UNIT_CODE = 16
const FIRST_ADDRESS = 0x1000

/**
 * An ELF library of a few KB whose compilation units all share one large compressed line program. Source: System V ABI,
 * "Section compression"; DWARF 4, §6.2.4.
 */
export function sharedLineProgram(units: number, programBytes: number): Buffer {
  const u32 = (...values: number[]) => {
    const bytes = Buffer.alloc(4 * values.length)
    for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index)
    return bytes
  }
  const u16 = (value: number) => Buffer.from([value & 255, value >> 8])
  const u64 = (...values: number[]) =>
    Buffer.concat(values.map((value) => u32(value >>> 0, Math.floor(value / 2 ** 32))))
  // compile_unit without children: low_pc addr, high_pc data4, stmt_list sec_offset.
  const abbrev = Buffer.from([1, 0x11, 0, 0x11, 0x01, 0x12, 0x06, 0x10, 0x17, 0, 0, 0])
  const info = Buffer.concat(
    Array.from({ length: units }, (_, index) => {
      const entry = Buffer.concat([Buffer.from([1]), u64(FIRST_ADDRESS + index * UNIT_CODE), u32(UNIT_CODE, 0)])
      const rest = Buffer.concat([u16(4), u32(0), Buffer.from([8]), entry])
      return Buffer.concat([u32(rest.length), rest])
    }),
  )
  const lineHeader = Buffer.from([1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0])
  // DW_LNS_negate_stmt takes time but makes no row.
  const program = Buffer.alloc(programBytes, 6)
  const lineRest = Buffer.concat([u16(4), u32(lineHeader.length), lineHeader, program])
  const line = Buffer.concat([u32(lineRest.length), lineRest])
  const compressed = Buffer.concat([u32(1, 0), u64(line.length, 1), deflateSync(line)])
  const note = Buffer.concat([u32(4, BUILD_ID.length / 2, 3), Buffer.from('GNU\0'), Buffer.from(BUILD_ID, 'hex')])
  const SHF_COMPRESSED = 0x800
  const sections: [name: string, type: number, flags: number, content: Buffer][] = [
    ['', 0, 0, Buffer.alloc(0)],
    ['.note.gnu.build-id', 7, 2, note],
    ['.debug_abbrev', 1, 0, abbrev],
    ['.debug_info', 1, 0, info],
    ['.debug_line', 1, SHF_COMPRESSED, compressed],
    ['.shstrtab', 3, 0, Buffer.alloc(0)],
  ]
  const names = Buffer.from(sections.map(([name]) => `${name}\0`).join(''))
  ;(sections.at(-1) as (typeof sections)[number])[3] = names
  let offset = 64
  let nameAt = 0
  const headers = sections.map(([name, type, flags, content]) => {
    const header = Buffer.concat([u32(nameAt, type), u64(flags, 0, offset, content.length), u32(0, 0), u64(1, 0)])
    nameAt += name.length + 1
    offset += content.length
    return header
  })
  const head = Buffer.concat([
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    u16(3),
    u16(183),
    u32(1),
    u64(0, 0, offset),
    u32(0),
    ...[64, 0, 0, 64, sections.length, sections.length - 1].map(u16),
  ])
  return Buffer.concat([head, ...sections.map(([, , , content]) => content), ...headers])
}

/** A stack with a frame in each of the first units. */
export const nativeStack = (frames: number) =>
  Array.from({ length: frames }, (_, index) => {
    const address = (FIRST_ADDRESS + index * UNIT_CODE + 4).toString(16).padStart(16, '0')
    return `#${String(index).padStart(2, '0')} pc ${address}  /data/app/x/lib/arm64/libfoo.so (BuildId: ${BUILD_ID})`
  }).join('\n')
