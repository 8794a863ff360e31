/** A section and its content. */
export interface Section {
  name: string
  type?: number
  flags?: number
  bytes?: string
  /** Declared size in bytes. Default: the actual size. */
  size?: number
  /** Number of another section, starting at 1. Default: no section. */
  link?: number
}
const PROGBITS = 1

/** Builds an ELF file from sections. */
export function elf(bits: 32 | 64, little: boolean, sections: Section[], machine = 183): Buffer {
  const wide = bits === 64
  const names = `\0.shstrtab\0${sections.map(({ name }) => `${name}\0`).join('')}`
  const all: Section[] = [
    { name: '', type: 0 },
    ...sections,
    { name: '.shstrtab', type: 3, bytes: Buffer.from(names).toString('hex') },
  ]
  const number = (value: number, bytes: number) => {
    const buffer = Buffer.alloc(8)
    if (little) buffer.writeBigUInt64LE(BigInt(value))
    else buffer.writeBigUInt64BE(BigInt(value))
    return little ? buffer.subarray(0, bytes) : buffer.subarray(8 - bytes)
  }
  const word = (value: number) => number(value, wide ? 8 : 4)
  const headerBytes = wide ? 64 : 52
  let at = headerBytes
  const placed = all.map((section) => {
    const content = Buffer.from(section.bytes ?? '', 'hex')
    const offset = at
    at += content.length
    return { ...section, content, offset }
  })
  const table = placed.map(({ name, type = PROGBITS, flags = 0, content, offset, size = content.length, link = 0 }) => {
    const parts = [number(name === '' ? 0 : names.indexOf(`${name}\0`), 4), number(type, 4), word(flags), word(0)]
    parts.push(word(offset), word(size), number(link, 4), number(0, 4), word(1), word(0))
    return Buffer.concat(parts)
  })
  const header = Buffer.concat([
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, wide ? 2 : 1, little ? 1 : 2, 1, ...Array(9).fill(0)]),
    ...[number(3, 2), number(machine, 2), number(1, 4), word(0), word(0), word(at), number(0, 4)],
    ...[headerBytes, 0, 0, wide ? 64 : 40, all.length, all.length - 1].map((it) => number(it, 2)),
  ])
  return Buffer.concat([header, ...placed.map(({ content }) => content), ...table])
}
