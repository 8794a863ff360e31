import { closeSync, openSync, writeSync } from 'node:fs'

/** Writes ELF files in every layout that a linker can produce. */
export interface ElfShape {
  bits: 32 | 64
  little: boolean
  machine: number
  /** Size of the build id in bytes. 0 means no build id. */
  idBytes: number
  /** Number of notes before the build id in the same section. */
  notesBefore: number
  notesAfter: number
  /** Omits the section headers, so that only the segments describe the file. */
  segmentsOnly: boolean
  /** Name of the note section. The build id is valid in any note section. */
  noteSection: string
  /** Offset of the section headers in the file. Large files use offsets beyond 4 GiB. */
  headersAt?: number
}

/** A piece of a file with its offset, used to write sparse files of many gigabytes. */
export interface ElfPiece {
  at: number
  bytes: Buffer
}

export function buildIdOf({ idBytes }: ElfShape): string {
  return Buffer.from(Array.from({ length: idBytes }, (_, index) => (index * 37 + idBytes) & 0xff)).toString('hex')
}

export function elfPieces(shape: ElfShape): ElfPiece[] {
  const { bits, little, segmentsOnly } = shape
  const wide = bits === 64
  const writer = (length: number) => {
    const bytes = Buffer.alloc(length)
    return {
      bytes,
      u16: (value: number, at: number) => (little ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)),
      u32: (value: number, at: number) => (little ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)),
      word: (value: number, narrow: number, broad: number) => {
        if (!wide) little ? bytes.writeUInt32LE(value, narrow) : bytes.writeUInt32BE(value, narrow)
        else little ? bytes.writeBigUInt64LE(BigInt(value), broad) : bytes.writeBigUInt64BE(BigInt(value), broad)
      },
    }
  }
  const note = (name: string, type: number, content: Buffer) => {
    const padded = (length: number) => Math.ceil(length / 4) * 4
    const out = writer(12 + padded(name.length + 1) + padded(content.length))
    out.u32(name.length + 1, 0)
    out.u32(content.length, 4)
    out.u32(type, 8)
    out.bytes.write(`${name}\0`, 12, 'latin1')
    content.copy(out.bytes, 12 + padded(name.length + 1))
    return out.bytes
  }
  const others = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      note(index % 2 ? 'GNU' : 'Android', 1, Buffer.alloc(3 + index * 5, 0xa5)),
    )
  const id = shape.idBytes === 0 ? [] : [note('GNU', 3, Buffer.from(buildIdOf(shape), 'hex'))]
  const notes = Buffer.concat([...others(shape.notesBefore), ...id, ...others(shape.notesAfter)])

  const headerBytes = wide ? 64 : 52
  const programBytes = wide ? 56 : 32
  const sectionBytes = wide ? 64 : 40
  const notesAt = headerBytes + programBytes
  const names = Buffer.from(`\0${shape.noteSection}\0.shstrtab\0`)
  const namesAt = notesAt + notes.length
  const headersAt = segmentsOnly ? 0 : (shape.headersAt ?? Math.ceil((namesAt + names.length) / 8) * 8)

  const header = writer(headerBytes)
  header.bytes.set([0x7f, 0x45, 0x4c, 0x46, wide ? 2 : 1, little ? 1 : 2, 1])
  header.u16(3, 16)
  header.u16(shape.machine, 18)
  header.u32(1, 20)
  header.word(headerBytes, 28, 32)
  header.word(headersAt, 32, 40)
  const tail = wide ? 52 : 40
  const sizes = [headerBytes, programBytes, 1, sectionBytes, segmentsOnly ? 0 : 3, segmentsOnly ? 0 : 2]
  for (const [index, value] of sizes.entries()) header.u16(value, tail + index * 2)

  const program = writer(programBytes)
  program.u32(4, 0)
  program.word(notesAt, 4, 8)
  program.word(notes.length, 16, 32)
  program.word(4, 28, 48)

  const pieces = [{ at: 0, bytes: Buffer.concat([header.bytes, program.bytes, notes, names]) }]
  if (segmentsOnly) return pieces
  const sections = [
    { name: 0, type: 0, at: 0, size: 0 },
    { name: 1, type: 7, at: notesAt, size: notes.length },
    { name: shape.noteSection.length + 2, type: 3, at: namesAt, size: names.length },
  ].map(({ name, type, at, size }) => {
    const out = writer(sectionBytes)
    out.u32(name, 0)
    out.u32(type, 4)
    out.word(at, 16, 24)
    out.word(size, 20, 32)
    out.word(4, 32, 48)
    return out.bytes
  })
  return [...pieces, { at: headersAt, bytes: Buffer.concat(sections) }]
}

/** All combinations of width, byte order, id length, number of notes and header type. */
export function everyShape(): ElfShape[] {
  const shapes: ElfShape[] = []
  for (const bits of [32, 64] as const)
    for (const little of [true, false])
      for (const idBytes of [0, 1, 8, 16, 20, 32, 61])
        for (const [notesBefore, notesAfter] of [
          [0, 0],
          [1, 0],
          [0, 2],
          [3, 1],
        ] as const)
          for (const segmentsOnly of [true, false]) {
            const machine = [3, 8, 40, 62, 183, 243][shapes.length % 6] as number
            const noteSection = shapes.length % 3 === 0 ? '.note.android.ident' : '.note.gnu.build-id'
            shapes.push({ bits, little, machine, idBytes, notesBefore, notesAfter, segmentsOnly, noteSection })
          }
  return shapes
}

/** An ELF file whose section headers start beyond 4 GiB. */
export const BEYOND_4_GIB: ElfShape = {
  bits: 64,
  little: true,
  machine: 183,
  idBytes: 20,
  notesBefore: 1,
  notesAfter: 0,
  segmentsOnly: false,
  noteSection: '.note.gnu.build-id',
  headersAt: 5 * 2 ** 30,
}

/** Writes a sparse file. The gaps between the pieces take no disk space. */
export function writeShape(shape: ElfShape, path: string): void {
  const file = openSync(path, 'w')
  for (const { at, bytes } of elfPieces(shape)) writeSync(file, bytes, 0, bytes.length, at)
  closeSync(file)
}
