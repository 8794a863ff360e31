import { BinaryError } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { readLineTable } from './line-table.ts'
import { sectionOf, u16, u32, u64 } from './numbers.fixture.ts'
import type { DwarfSections, Unit, UnitEntry } from './unit.ts'

const text = (value: string) => [...Buffer.from(`${value}\0`)]

interface Shape {
  version?: number
  /** Size of offsets in bytes: 4 or 8. */
  offsetBytes?: number
  minimumLength?: number
  lineRange?: number
  opcodeBase?: number
  operandCounts?: number[]
  tables?: number[]
}

const repeated = (times: number, bytes: number[]) => Array.from(Buffer.alloc(times * bytes.length, Buffer.from(bytes)))

const COUNTS = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]
const OLD_TABLES = [...text('/inc'), ...text('rel'), 0, ...['a.c', 'b.h'].flatMap((it) => [...text(it), 0, 0, 0]), 0]
/** The tables for version 5: one directory and two files, all as inline strings. */
const NEW_TABLES = [1, 1, 8, 1, ...text('/build'), 2, 1, 8, 2, 11, 2, ...text('a.c'), 0, ...text('b.h'), 0]

function lineSection(program: number[], shape: Shape = {}): Buffer {
  const { version = 4, offsetBytes = 4, minimumLength = 1, lineRange = 14, opcodeBase = 13 } = shape
  const { operandCounts = COUNTS.slice(0, opcodeBase - 1), tables = version >= 5 ? NEW_TABLES : OLD_TABLES } = shape
  const sized = offsetBytes === 8 ? u64 : u32
  const begin = [minimumLength, ...(version >= 4 ? [1] : []), 1, 0xfb, lineRange, opcodeBase]
  const start = [...begin, ...operandCounts, ...tables]
  const rest = [...u16(version), ...(version >= 5 ? [8, 0] : []), ...sized(start.length), ...start, ...program]
  return Buffer.from([...(offsetBytes === 8 ? u32(0xffffffff) : []), ...sized(rest.length), ...rest])
}

function open(bytes: Buffer, entry: Partial<UnitEntry> = {}, more: object = {}) {
  const sections = { line: sectionOf(bytes), ...more } as unknown as DwarfSections
  const unit = { addressBytes: 8, offsetBytes: 4, version: 4 } as unknown as Unit
  return readLineTable(sections, unit, { lineOffset: 0, compilationDirectory: '/build', ...entry } as UnitEntry)
}

const setAddress = (value: number) => [0, 9, 2, ...u64(value)]
const END = [0, 1, 1]
const COPY = [1]
/** An opcode that adds to both address and line, with the usual base and range. */
const special = (addresses: number, lines: number) => [13 + 14 * addresses + lines + 5]

const PROGRAM = [
  ...[...setAddress(0x1000), 4, 2, 5, 7, 3, 9, ...COPY],
  ...special(4, 1),
  // The first opcodes create no row. The next ones move 17 addresses forward and three lines back, to column 200.
  ...[6, 7, 10, 11, 12, 0x85, 1, 8, 3, 0x7d, 5, 0xc8, 1, ...COPY],
  ...[9, 0, 1, 4, 0xac, 2, ...COPY],
  ...[2, 0x80, 4, 3, 0xe8, 7, ...COPY],
  ...[3, 0x98, 0x78, ...COPY, 2, 1, ...END],
  ...[...setAddress(0x2000), ...COPY, 2, 8, ...END],
  // A function that the linker removed.
  ...[...setAddress(2 ** 53), ...COPY, 2, 4, ...END],
]
const at = (file: number, line: number, column: number) => ({ file, line, column })
const PLACES: [number, object | undefined][] = [
  [0xfff, undefined],
  [0x1000, at(2, 10, 7)],
  [0x1003, at(2, 10, 7)],
  [0x1004, at(2, 11, 7)],
  [0x1014, at(2, 11, 7)],
  [0x1015, at(2, 8, 200)],
  [0x1114, at(2, 8, 200)],
  [0x1115, at(300, 8, 200)],
  [0x1314, at(300, 8, 200)],
  [0x1315, at(300, 8, 200)],
  [0x1316, undefined],
  [0x1fff, undefined],
  [0x2000, at(1, 1, 0)],
  [0x2007, at(1, 1, 0)],
  [0x2008, undefined],
]
// If two rows have the same address, the last row counts.
const WITH_LAST = PLACES.map(([address, place]) => [address, address === 0x1315 ? at(300, 8, 200) : place] as const)

describe('a line program', () => {
  it.each<[string, Shape]>([
    ['version 2', { version: 2 }],
    ['version 3', { version: 3 }],
    ['version 4', {}],
    ['version 5', { version: 5 }],
    ['64-bit offsets', { offsetBytes: 8 }],
    ['version 5, 64-bit offsets', { version: 5, offsetBytes: 8 }],
  ])('runs a line program as the standard defines: %s', (_, shape) => {
    const bytes = lineSection(PROGRAM, shape)
    // The first query runs the whole program. Later queries run only a sequence. For a long sequence, rows are kept.
    const long = lineSection([...PROGRAM.slice(0, 17), ...Array(2000).fill(6), ...PROGRAM.slice(17)], shape)
    for (const program of [bytes, long]) {
      const asked = open(program)
      asked?.positionAt(0)
      for (const [address, place] of WITH_LAST) {
        expect([address, open(program)?.positionAt(address)]).toEqual([address, place])
        expect([address, asked?.positionAt(address)]).toEqual([address, place])
        expect([address, asked?.positionAt(address)]).toEqual([address, place])
      }
    }
  })

  it('runs a line program with and without a known start of the function', () => {
    const asked = open(lineSection(PROGRAM))
    for (const [address, place] of [...PLACES, ...PLACES, ...PLACES].filter(([, place]) => place)) {
      const start = address < 0x2000 ? 0x1000 : 0x2000
      expect([address, open(lineSection(PROGRAM))?.positionAt(address, start)]).toEqual([address, place])
      expect([address, asked?.positionAt(address, start)]).toEqual([address, place])
      // The address is not the start of a function, so the whole program runs.
      expect([address, open(lineSection(PROGRAM))?.positionAt(address, 0x1004)]).toEqual([address, place])
    }
    const added = [0, 8, 3, ...text('e.h'), 2, 0, 0]
    const adding = open(lineSection([...added, 4, 3, ...setAddress(0x10), ...COPY, 2, 4, ...END]))
    expect(adding?.positionAt(0x10, 0x10)).toEqual(at(3, 1, 0))
    expect(adding?.pathOf(3)).toBe('/build/rel/e.h')
  })

  it('reads a line program with four-byte instructions', () => {
    const program = [
      ...[setAddress(0x1000), COPY, [2, 2], COPY, special(1, 1), [8], COPY, [9, 2, 0], COPY, [2, 0x81, 0], COPY],
      ...[[2, 1], END],
    ].flat()
    const table = open(lineSection(program, { minimumLength: 4 }))
    const lines = [0x1000, 0x1008, 0x100b, 0x100c, 0x104f, 0x1050, 0x1051, 0x1052, 0x1055, 0x1056, 0x1059, 0x105a]
    expect(lines.map((address) => table?.positionAt(address)?.line).join()).toBe('1,1,1,2,2,2,2,2,2,2,2,')
  })

  it('skips unknown operations in a line program with their operands', () => {
    const start = [...setAddress(0x10), ...COPY]
    const after = [3, 4, 2, 1, ...COPY, 2, 1, ...END]
    const lineAt = (program: number[], shape: Shape) =>
      [0x10, 0x11, 0x12].map((address) => open(lineSection(program, shape))?.positionAt(address)?.line)
    const unknown = { opcodeBase: 15, operandCounts: [...COUNTS, 2, 0] }
    expect(lineAt([...start, 13, 0x81, 1, 2, 14, ...after], unknown)).toEqual([1, 5, undefined])
    expect(lineAt([...start, 0, 5, 0x80, 1, 1, 1, 1, 0, 0, ...after], {})).toEqual([1, 5, undefined])
    // A file may declare an operand for an opcode that has none.
    expect(lineAt([...start, 6, 1, ...after], { operandCounts: COUNTS.with(5, 1) })).toEqual([1, 5, undefined])
    // Opcodes from the base on add to both address and line. With a base of 10, the last three standard opcodes do not exist.
    expect(lineAt([...start, 10 + 14 + 6, 2, 1, ...END], { opcodeBase: 10 })).toEqual([1, 2, undefined])
    expect(lineAt([...start, 0xff, ...after], { lineRange: 0 })).toEqual([1, 5, undefined])
  })

  it('assigns an address to the sequence that ends first after it, but not to one without rows', () => {
    const sequence = (low: number, high: number, line: number) =>
      [setAddress(low), [3, line - 1], COPY, [2, high - low], END].flat()
    const low = [...sequence(0x10, 0x40, 5), ...sequence(0x20, 0x30, 6)]
    const program = [...low, ...setAddress(0x50), ...END, ...sequence(0x60, 0x60, 7)]
    for (const address of [0x1f, 0x20, 0x2f, 0x30, 0x50, 0x60]) {
      const table = open(lineSection(program))
      const first = table?.positionAt(address)?.line
      expect([address, first, table?.positionAt(address)?.line]).toEqual([
        address,
        ...Array(2).fill({ 31: undefined, 32: 6, 47: 6, 48: 5 }[address]),
      ])
    }
  })

  it.each<[string, Buffer, string]>([
    [
      'version 1',
      lineSection([], { version: 1 }),
      'A line program in the debug information has the unknown version 1.',
    ],
    [
      'version 6',
      lineSection([], { version: 6 }),
      'A line program in the debug information has the unknown version 6.',
    ],
    [
      'an endless program',
      Buffer.from([...u32(0x10000001), ...Array(20).fill(0)]),
      'A line program in the debug information is too long.',
    ],
    [
      'too many files',
      lineSection([], { version: 5, tables: [0, 0xc1, 0x84, 0x3d, 0, 0] }),
      'A line program in the debug information lists too many files.',
    ],
    [
      'too many files defined by the program',
      lineSection(repeated(100_001, [0, 6, 3, ...text('a'), 0, 0, 0])),
      'A line program in the debug information lists too many files.',
    ],
  ])('treats %s as damage', (_, bytes, message) => {
    const look = () => open(bytes)?.positionAt(1)
    expect(look).toThrow(BinaryError)
    expect(look).toThrow(message)
  })

  it('finds no lines for a unit without a program', () => {
    expect(open(lineSection([]), { lineOffset: undefined as never })).toBeUndefined()
    expect(open(lineSection([]), {}, { line: undefined })).toBeUndefined()
    expect(open(lineSection([]))?.pathOf(1)).toBeUndefined()
  })
})

describe('the path of a file in a line table', () => {
  const pathsIn = (shape: Shape, count: number, program: number[] = [], entry = {}, more = {}) => {
    const table = open(lineSection([...program, ...setAddress(0x10), ...COPY, ...END], shape), entry, more)
    table?.positionAt(0x10)
    return Array.from({ length: count }, (_, file) => table?.pathOf(file))
  }
  const file = (name: string, directory: number) => [...text(name), directory, 0x81, 1, 2]

  it('uses file numbers from 1 in old versions, in which the program may add files', () => {
    const files = [
      ['a.c', 0],
      ['b.h', 1],
      ['c.h', 2],
      ['/abs/d.h', 2],
      ['C:\\x.h', 1],
      ['\\y.h', 1],
    ] as const
    const tables = [...text('/inc'), ...text('rel/'), 0, ...files.flatMap(([name, at]) => file(name, at)), 0]
    const added = [0, 8, 3, ...text('e.h'), 2, 0, 0]
    expect(pathsIn({ tables }, 9, added, { compilationDirectory: '/build/' })).toEqual([
      undefined,
      '/build/a.c',
      '/inc/b.h',
      '/build/rel/c.h',
      '/abs/d.h',
      'C:\\x.h',
      '\\y.h',
      '/build/rel/e.h',
      undefined,
    ])
    expect(pathsIn({ tables }, 4, [], { compilationDirectory: undefined })).toEqual([
      undefined,
      'a.c',
      '/inc/b.h',
      'rel/c.h',
    ])
  })

  it("uses file numbers from 0 in version 5, and the unit's directory as the first one", () => {
    const directories = [1, 1, 8, 2, ...text('/made'), ...text('rel')]
    const tables = [...directories, ...[2, 1, 8, 2, 11, 2], ...text('a.c'), 0, ...text('b.h'), 1]
    expect(pathsIn({ version: 5, tables }, 3)).toEqual(['/made/a.c', '/build/rel/b.h', undefined])
  })

  it('reads names from a separate section in version 5, with additional fields', () => {
    const lineStr = sectionOf(Buffer.from('./made\0main.c\0'))
    // The reader skips the checksum of 16 bytes and the size.
    const directories = [1, 1, 0x1f, 1, ...u32(0)]
    const shape = [4, 5, 0x1e, 1, 0x1f, 2, 11, 4, 15, 1]
    const tables = [...directories, ...shape, ...Array(16).fill(9), ...u32(7), 0, 0x80, 1]
    expect(pathsIn({ version: 5, tables }, 2, [], {}, { lineStr })).toEqual(['./made/main.c', undefined])
  })
})
