import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { randomOf } from '../../../../../test/support/random.ts'
import { BinaryError, type BinarySource, binaryOf } from '../binary.ts'
import { describeMachO, readMachO } from './mach-o.ts'

const SAMPLES = resolve(import.meta.dirname, '../../../../../fixtures/symbols/apple')
const sample = (name: string) => join(SAMPLES, name)

const FAT = 'Shop.framework.dSYM/Contents/Resources/DWARF/Shop'
const THIN = 'shop-arm64.dylib.dSYM/Contents/Resources/DWARF/shop-arm64.dylib'

describe('sample files', () => {
  it.each([
    [FAT, ['x86_64 4C4C4400-5555-3144-A175-1EE13D97C6A0 true', 'arm64 4C4C4423-5555-3144-A1DB-4B0B3A85B578 true']],
    [THIN, ['arm64 4C4C4423-5555-3144-A1DB-4B0B3A85B578 true']],
    [
      'more/Shop-fat64',
      ['x86_64 4C4C44B9-5555-3144-A1FB-D613E9B0202E true', 'arm64 4C4C44CB-5555-3144-A17D-D1AFE2141232 true'],
    ],
    ['more/Shop.stripped', ['arm64 4C4C44CB-5555-3144-A17D-D1AFE2141232 false']],
    ['more/no-uuid.dylib', ['arm64 undefined false']],
  ])('%s', async (name, expected) => {
    const slices = await readMachO(sample(name))
    expect(slices.map(({ arch, uuid, hasDwarf }) => `${arch} ${uuid} ${hasDwarf}`)).toEqual(expected)
  })
})

/** A header with a UUID command, for any width and byte order. */
function thin(bits: 32 | 64, little: boolean, cpu: number, subtype: number): Buffer {
  const start = bits === 64 ? 32 : 28
  const file = Buffer.alloc(start + 24)
  const u32 = (value: number, at: number) => (little ? file.writeUInt32LE(value, at) : file.writeUInt32BE(value, at))
  for (const [index, value] of [bits === 64 ? 0xfeedfacf : 0xfeedface, cpu, subtype, 10, 1, 24].entries())
    u32(value, index * 4)
  u32(0x1b, start)
  u32(24, start + 4)
  file.fill(0xab, start + 8)
  return file
}

describe('Mach-O headers with every width and byte order', () => {
  it.each([
    [32, true, 12, 9, 'armv7'],
    [32, true, 7, 3, 'i386'],
    [32, false, 18, 0, 'ppc'],
    [64, false, 0x01000012, 0, 'ppc64'],
    [64, true, 0x0100000c, 0x80000002, 'arm64e'],
    [64, true, 0x01000007, 8, 'x86_64h'],
    [32, true, 0x0200000c, 1, 'arm64_32'],
    [32, true, 99, 1, 'cpu-99-1'],
  ] as const)('reads %i bits, little-endian %s, cpu %i', (bits, little, cpu, subtype, arch) => {
    expect(describeMachO(binaryOf(thin(bits, little, cpu, subtype)))).toMatchObject([
      { arch, bits, endian: little ? 'little' : 'big', uuid: 'ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB' },
    ])
  })
})

/** A fat file whose architectures all share the same bytes: a segment with the given number of sections, and unknown commands. */
function fatOf(architectures: number, sections: number, commands: number, commandBytes: number): Buffer {
  const segment = Buffer.alloc(72 + 80 * sections)
  for (const [index, value] of [0x19, segment.length].entries()) segment.writeUInt32LE(value, index * 4)
  segment.writeUInt32LE(sections, 64)
  const other = Buffer.alloc(commandBytes)
  for (const [index, value] of [0x7f, commandBytes].entries()) other.writeUInt32LE(value, index * 4)
  const listed = Buffer.concat([segment, ...Array<Buffer>(commands).fill(other)])
  const image = Buffer.alloc(32)
  for (const [index, value] of [0xfeedfacf, 0x0100000c, 0, 10, commands + 1, listed.length].entries())
    image.writeUInt32LE(value, index * 4)
  const head = Buffer.alloc(8 + 20 * architectures)
  for (const [index, value] of [0xcafebabe, architectures].entries()) head.writeUInt32BE(value, index * 4)
  for (let at = 8; at < head.length; at += 20) {
    for (const [index, value] of [0x0100000c, at, head.length, image.length + listed.length].entries())
      head.writeUInt32BE(value, at + index * 4)
  }
  return Buffer.concat([head, image, listed])
}

describe('architectures that share the same bytes', () => {
  const read = (...shape: Parameters<typeof fatOf>) => {
    let bytes = 0
    const inner = binaryOf(fatOf(...shape))
    const source: BinarySource = {
      ...inner,
      read(position, length) {
        const found = inner.read(position, length)
        bytes += found.length
        return found
      },
    }
    try {
      return { bytes, slices: describeMachO(source).length }
    } catch (error) {
      return { bytes, refused: (error as Error).message }
    }
  }

  it('reads architectures up to a limit for the whole file', () => {
    expect(read(10, 10, 300, 16)).toMatchObject({ slices: 10 })
    const large = read(43, 0, 2, 1024 * 1024)
    expect(large.refused).toMatch(/^The header declares too many bytes of load commands: \d+.$/)
    expect(large.bytes).toBeLessThan(8 * 1024 * 1024)
    expect(read(43, 0, 100, 8).refused).toBe('The header declares too many load commands: 4141.')
    expect(read(43, 50, 0, 8).refused).toBe('The header declares too many sections: 2050.')
  })
})

describe('a file that is not a valid Mach-O file', () => {
  const refusal = (bytes: Buffer) => {
    try {
      describeMachO(binaryOf(bytes))
      return undefined
    } catch (error) {
      expect(error).toBeInstanceOf(BinaryError)
      return (error as BinaryError).flaw
    }
  }
  it.each([FAT, THIN, 'more/Shop-fat64'])(
    '%s: is read or refused after truncation or a flipped bit, but never crashes the reader',
    (name) => {
      const whole = readFileSync(sample(name))
      const random = randomOf(7)
      let refused = 0
      for (let round = 0; round < 600; round++) {
        const bytes = Buffer.from(round % 2 ? whole.subarray(0, random(whole.length)) : whole)
        for (let flips = round % 2 ? 0 : 1 + random(4); flips > 0; flips--) {
          const at = random(Math.min(1200, bytes.length))
          bytes[at] = (bytes[at] as number) ^ (1 << random(8))
        }
        if (refusal(bytes) !== undefined) refused++
      }
      expect(refused).toBeGreaterThan(150)
    },
  )
})
