import { writeFileSync } from 'node:fs'
import { crc32, deflateRawSync } from 'node:zlib'

/** One entry of an archive that may contain wrong values. Omitted fields are correct. */
export interface CraftedEntry {
  name: string
  /** The name's bytes if it is not UTF-8. */
  rawName?: Buffer
  content?: Buffer | string
  /** Content that is already deflated, if creating it again would be slow. */
  deflated?: { data: Buffer; bytes: number; crc: number }
  /** The size that the directory declares. */
  declaredBytes?: number
  declaredCompressedBytes?: number
  crc?: number
  flags?: number
  method?: number
  /** Points to the data of the entry at this index instead of its own. */
  sameDataAs?: number
  /** Extra bytes that only the local header declares. */
  localExtraBytes?: number
  /** Writes sizes and offset in a zip64 field. */
  zip64?: boolean
}

export interface CraftedZip {
  entries: CraftedEntry[]
  comment?: string
  /** The entry count that the trailer declares. */
  entryCount?: number
}

/** Writes a zip byte by byte, so that tests can create what no tool would. */
export function writeZip(path: string, { entries, comment = '', entryCount }: CraftedZip): void {
  const chunks: Buffer[] = []
  const directory: Buffer[] = []
  const offsets: number[] = []
  let position = 0
  const write = (chunk: Buffer) => {
    chunks.push(chunk)
    position += chunk.length
  }
  for (const entry of entries) {
    const { data, bytes, crc } = entry.deflated ?? deflated(Buffer.from(entry.content ?? ''))
    const name = entry.rawName ?? Buffer.from(entry.name)
    const compressedBytes = entry.declaredCompressedBytes ?? data.length
    const declaredBytes = entry.declaredBytes ?? bytes
    const offset = entry.sameDataAs === undefined ? position : (offsets[entry.sameDataAs] as number)
    offsets.push(offset)
    if (entry.sameDataAs === undefined) {
      const local = Buffer.alloc(30)
      local.writeUInt32LE(0x04034b50, 0)
      fields(local, 4, entry, crc, compressedBytes, declaredBytes, name.length, entry.localExtraBytes ?? 0)
      write(local)
      write(name)
      write(data)
    }
    const extra = entry.zip64 ? zip64Field(declaredBytes, compressedBytes, offset) : Buffer.alloc(0)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(20, 4)
    const large = 0xffffffff
    const [shownCompressed, shownBytes] = entry.zip64 ? [large, large] : [compressedBytes, declaredBytes]
    fields(central, 6, entry, crc, shownCompressed, shownBytes, name.length, extra.length)
    central.writeUInt32LE(entry.zip64 ? large : offset, 42)
    directory.push(central, name, extra)
  }
  const start = position
  for (const chunk of directory) write(chunk)
  const trailer = Buffer.alloc(22)
  trailer.writeUInt32LE(0x06054b50, 0)
  trailer.writeUInt16LE(entryCount ?? entries.length, 8)
  trailer.writeUInt16LE(entryCount ?? entries.length, 10)
  trailer.writeUInt32LE(position - start, 12)
  trailer.writeUInt32LE(start, 16)
  trailer.writeUInt16LE(Buffer.byteLength(comment), 20)
  write(trailer)
  write(Buffer.from(comment))
  writeFileSync(path, Buffer.concat(chunks))
}

export function deflated(content: Buffer): { data: Buffer; bytes: number; crc: number } {
  return { data: deflateRawSync(content, { level: 1 }), bytes: content.length, crc: crc32(content) }
}

function fields(
  header: Buffer,
  at: number,
  { flags = 0, method = 8, crc: givenCrc }: CraftedEntry,
  crc: number,
  compressedBytes: number,
  declaredBytes: number,
  nameBytes: number,
  extraBytes: number,
): void {
  header.writeUInt16LE(20, at)
  header.writeUInt16LE(0x800 | flags, at + 2)
  header.writeUInt16LE(method, at + 4)
  header.writeUInt32LE(givenCrc ?? crc, at + 10)
  header.writeUInt32LE(Math.min(compressedBytes, 0xffffffff), at + 14)
  header.writeUInt32LE(Math.min(declaredBytes, 0xffffffff), at + 18)
  header.writeUInt16LE(nameBytes, at + 22)
  header.writeUInt16LE(extraBytes, at + 24)
}

function zip64Field(bytes: number, compressedBytes: number, offset: number): Buffer {
  const field = Buffer.alloc(28)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(24, 2)
  for (const [index, value] of [bytes, compressedBytes, offset].entries()) {
    field.writeBigUInt64LE(BigInt(value), 4 + index * 8)
  }
  return field
}
