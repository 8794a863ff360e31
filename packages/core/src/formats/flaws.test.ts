import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BinarySource, binaryOf } from './binary.ts'
import { type ElfShape, elfPieces } from './elf/elf.fixture.ts'
import { describeElf } from './elf/elf.ts'
import { composeHermesMaps, hermesMapFlaw } from './hermes/hermes-map.ts'
import { describeMachO } from './mach-o/mach-o.ts'
import { readWasmLayout } from './wasm/wasm.ts'

// Every reason why a file cannot be used, with its message.

const SYMBOLS = resolve(import.meta.dirname, '../../../../fixtures/symbols')

function flawOf(read: (source: BinarySource) => unknown, bytes: Buffer): string | undefined {
  try {
    read(binaryOf(bytes))
    return undefined
  } catch (error) {
    const { flaw, message } = error as Error & { flaw: string }
    return `${flaw}: ${message}`
  }
}

const SHAPE: ElfShape = {
  bits: 64,
  little: true,
  machine: 183,
  idBytes: 20,
  notesBefore: 0,
  notesAfter: 0,
  segmentsOnly: false,
  noteSection: '.note.gnu.build-id',
}

describe.each([32, 64] as const)('a %i-bit ELF file', (bits) => {
  const wide = bits === 64
  const whole = (() => {
    const pieces = elfPieces({ ...SHAPE, bits })
    const last = pieces.at(-1) as (typeof pieces)[number]
    const bytes = Buffer.alloc(last.at + last.bytes.length)
    for (const piece of pieces) piece.bytes.copy(bytes, piece.at)
    return bytes
  })()
  const changed = (change: (bytes: Buffer) => unknown) => {
    const bytes = Buffer.from(whole)
    change(bytes)
    return bytes
  }
  const tail = wide ? 52 : 40
  const beyond = (table: string) =>
    `truncated: The file is truncated: the ${table} header table extends past the end of the file.`
  const sectionAt = wide ? Number(whole.readBigUInt64LE(40)) : whole.readUInt32LE(32)
  it.each<[string, Buffer, string | undefined]>([
    ['whole', whole, undefined],
    ['empty', Buffer.alloc(0), 'empty: The file is empty.'],
    ['of three bytes', whole.subarray(0, 3), 'other-format: The file is not an ELF file.'],
    ['of other bytes', changed((it) => it.writeUInt8(0, 0)), 'other-format: The file is not an ELF file.'],
    [
      'cut in its header',
      whole.subarray(0, wide ? 63 : 51),
      'truncated: The file is truncated: its header is incomplete.',
    ],
    ['cut in its section headers', whole.subarray(0, whole.length - 1), beyond('section')],
    ['cut before its section headers', whole.subarray(0, sectionAt), beyond('section')],
    [
      'with program headers past the end',
      changed((it) => (wide ? it.writeBigUInt64LE(BigInt(it.length), 32) : it.writeUInt32LE(it.length, 28))),
      beyond('program'),
    ],
  ])('%s', (_, bytes, flaw) => expect(flawOf(describeElf, bytes)).toBe(flaw))

  it.each<[string, (bytes: Buffer) => unknown, string]>([
    ['another width', (it) => it.writeUInt8(3, 4), 'The ELF header is damaged.'],
    ['another byte order', (it) => it.writeUInt8(3, 5), 'The ELF header is damaged.'],
    ['short section headers', (it) => it.writeUInt16LE(wide ? 63 : 39, tail + 6), 'The section headers are damaged.'],
    ['long section headers', (it) => it.writeUInt16LE(0xffff, tail + 6), 'The section headers are damaged.'],
    ['short program headers', (it) => it.writeUInt16LE(wide ? 55 : 31, tail + 2), 'The program headers are damaged.'],
    [
      'section headers that are too short',
      (it) => it.writeUInt16LE(wide ? 63 : 39, tail + 6),
      'The section headers are damaged.',
    ],
    [
      'section headers that are too long',
      (it) => it.writeUInt16LE(0xffff, tail + 6),
      'The section headers are damaged.',
    ],
    [
      'program headers that are too short',
      (it) => it.writeUInt16LE(wide ? 55 : 31, tail + 2),
      'The program headers are damaged.',
    ],
    [
      'more sections than the limit',
      (it) => it.fill(0, tail + 8, tail + 10).writeUInt32LE(65_537, sectionAt + (wide ? 32 : 20)),
      'The header declares too many sections: 65537.',
    ],
    [
      'more segments than the limit',
      (it) => it.fill(0xff, tail + 4, tail + 6).writeUInt32LE(65_537, sectionAt + (wide ? 44 : 28)),
      'The header declares too many segments: 65537.',
    ],
  ])('reports an ELF file as damaged if it has %s', (_, change, flaw) =>
    expect(flawOf(describeElf, changed(change))).toBe(`damaged: ${flaw}`),
  )

  it('reads the counts from the first section header', () => {
    const many = changed((it) => {
      it.writeUInt16LE(0, tail + 8)
      it.writeUInt32LE(3, sectionAt + (wide ? 32 : 20))
      it.writeUInt16LE(0xffff, tail + 10)
      it.writeUInt32LE(2, sectionAt + (wide ? 40 : 24))
      it.writeUInt16LE(0xffff, tail + 4)
      it.writeUInt32LE(1, sectionAt + (wide ? 44 : 28))
    })
    expect(describeElf(binaryOf(many))).toEqual(describeElf(binaryOf(whole)))
  })
})

describe('a Mach-O file', () => {
  const thin = readFileSync(join(SYMBOLS, 'apple/shop-arm64.dylib.dSYM/Contents/Resources/DWARF/shop-arm64.dylib'))
  const fat = readFileSync(join(SYMBOLS, 'apple/Shop.framework.dSYM/Contents/Resources/DWARF/Shop'))
  const fat64 = readFileSync(join(SYMBOLS, 'apple/more/Shop-fat64'))
  const segmentAt = thin.indexOf(Buffer.from([0x19, 0, 0, 0]), 32)
  const changed = (from: Buffer, change: (bytes: Buffer) => unknown) => {
    const bytes = Buffer.from(from)
    change(bytes)
    return bytes
  }
  it.each<[string, Buffer, string]>([
    ['empty', Buffer.alloc(0), 'empty: The file is empty.'],
    ['of seven bytes', thin.subarray(0, 7), 'other-format: The file is not a Mach-O file.'],
    ['of other bytes', Buffer.alloc(64), 'other-format: The file is not a Mach-O file.'],
    ['cut in its header', thin.subarray(0, 27), 'truncated: The file is truncated: its header is incomplete.'],
    [
      'of no architecture',
      changed(fat, (it) => it.writeUInt32BE(0, 4)),
      'other-format: The file is not a Mach-O file.',
    ],
    [
      'that is a Java class',
      changed(fat, (it) => it.writeUInt32BE(45, 4)),
      'other-format: The file is not a Mach-O file.',
    ],
  ])('%s', (_, bytes, flaw) => expect(flawOf(describeMachO, bytes)).toBe(flaw))

  it.each([
    ['after its header', thin.subarray(0, 40), 'the list of load commands'],
    ['in its architectures', fat.subarray(0, 40), 'the list of architectures'],
    ['in its last architecture', fat.subarray(0, fat.length - 1), 'the slice for an architecture'],
    ['in its last wide architecture', fat64.subarray(0, fat64.length - 1), 'the slice for an architecture'],
  ])('reports a Mach-O file as truncated if cut %s', (_, bytes, lost) =>
    expect(flawOf(describeMachO, bytes)).toBe(
      `truncated: The file is truncated: ${lost} extends past the end of the file.`,
    ),
  )

  it.each<[string, (bytes: Buffer) => unknown, string]>([
    [
      'too many load commands',
      (it) => it.writeUInt32LE(8 * 1024 * 1024 + 1, 20),
      'The header declares too many bytes of load commands: 8388609.',
    ],
    [
      'more load commands than any has',
      (it) => it.writeUInt32LE(4097, 16),
      'The header declares too many load commands: 4097.',
    ],
    [
      'more sections than any has',
      (it) => it.writeUInt32LE(1025, segmentAt + 64),
      'The header declares too many sections: 1025.',
    ],
    ['a load command of no length', (it) => it.writeUInt32LE(7, 36), 'The load commands are damaged.'],
    ['a long load command', (it) => it.writeUInt32LE(it.readUInt32LE(20) + 1, 36), 'The load commands are damaged.'],
  ])('with %s is damaged', (_, change, flaw) =>
    expect(flawOf(describeMachO, changed(thin, change))).toBe(`damaged: ${flaw}`),
  )

  it('reports a Mach-O file as truncated if its debug information is missing', () => {
    const [slice] = describeMachO(binaryOf(thin))
    const end = Math.max(
      ...(slice?.sections ?? []).map(({ segment, offset, size }) => (segment === '__DWARF' ? offset + size : 0)),
    )
    expect(flawOf(describeMachO, thin.subarray(0, end))).toBeUndefined()
    expect(flawOf(describeMachO, thin.subarray(0, end - 1))).toMatch(
      /^truncated: The file is truncated: section __\w+ extends past the end of the file.$/,
    )
  })

  it('returns no UUID for a Mach-O file if all its bytes are 0', () => {
    const at = thin.indexOf(Buffer.from('4c4c442355553144', 'hex'))
    expect(describeMachO(binaryOf(changed(thin, (it) => it.fill(0, at, at + 16))))[0]).not.toHaveProperty('uuid')
  })

  it.each([6, 9, 10, 11, 12, 8])('names the ARM variant: %i', (subtype) => {
    const names: Record<number, string> = { 6: 'armv6', 9: 'armv7', 10: 'armv7f', 11: 'armv7s', 12: 'armv7k', 8: 'arm' }
    const bytes = changed(thin, (it) => {
      it.writeUInt32LE(12, 4)
      it.writeUInt32LE(subtype, 8)
    })
    expect(describeMachO(binaryOf(bytes))[0]?.arch).toBe(names[subtype])
  })
})

describe('a WebAssembly module', () => {
  const HEAD = Buffer.from('\0asm\x01\0\0\0', 'latin1')
  const module = (...bytes: number[]) => Buffer.concat([HEAD, Buffer.from(bytes)])
  it.each<[string, Buffer, string]>([
    ['empty', Buffer.alloc(0), 'empty: The file is empty.'],
    ['of other bytes', Buffer.from('wasm'), 'other-format: The file is not a WebAssembly module.'],
    [
      'of version 2',
      Buffer.from('\0asm\x02\0\0\0', 'latin1'),
      'damaged: The WebAssembly version of the file is not 1.',
    ],
    ['cut in its header', HEAD.subarray(0, 6), 'damaged: The WebAssembly version of the file is not 1.'],
    ['cut in a section', module(10, 3, 0, 0), 'truncated: The file is truncated: a section is incomplete.'],
    ['cut before a length', module(10), 'damaged: The file contains an incomplete number.'],
    [
      'with a length that never ends',
      module(10, 0x80, 0x80, 0x80, 0x80, 0x80, 0),
      'damaged: The file contains an incomplete number.',
    ],
    [
      'with a name longer than its section',
      module(0, 2, 5, 97, 10, 1, 0),
      'damaged: The name of a section is longer than the section itself.',
    ],
    [
      'with more than a thousand sections',
      Buffer.concat([HEAD, Buffer.alloc(2 * 1001, Buffer.from([3, 0]))]),
      'damaged: The file has too many sections.',
    ],
  ])('%s', (_, bytes, flaw) => expect(flawOf(readWasmLayout, bytes)).toBe(flaw))

  it('returns the offsets and sizes of its sections', () => {
    const named = [0, 4, 2, 97, 98, 7]
    const id = [0, 13, 8, ...Buffer.from('build_id'), 3, 1, 2, 255]
    const { custom, ...rest } = readWasmLayout(binaryOf(module(...named, 2, 1, 0, 10, 0x82, 0, 5, 6, ...id)))
    expect(rest).toEqual({ imports: { offset: 16, size: 1 }, code: { offset: 20, size: 2 }, buildId: '0102ff' })
    expect([...custom]).toEqual([
      ['ab', { offset: 13, size: 1 }],
      ['build_id', { offset: 33, size: 4 }],
    ])
    expect(readWasmLayout(binaryOf(module(0, 10, 8, ...Buffer.from('build_id'), 0)))).not.toHaveProperty('buildId')
    expect(readWasmLayout(binaryOf(Buffer.concat([HEAD, Buffer.alloc(2 * 1000, Buffer.from([3, 0]))])))).toEqual({
      custom: new Map(),
    })
  })
})

describe('a source map for a Hermes bundle', () => {
  it.each<[string, unknown, string | undefined]>([
    ['is no JSON', '{', 'The content is not valid JSON.'],
    [
      'comes from the Hermes compiler',
      { sources: ['/build/index.android.bundle'], mappings: 'AAAA' },
      'The source map is from the Hermes compiler, so it points to the bundle instead of the sources.',
    ],
    [
      'comes from the Hermes compiler on Windows',
      { sources: ['C:\\build\\index.android.bundle'], mappings: 'AAAA' },
      'The source map is from the Hermes compiler, so it points to the bundle instead of the sources.',
    ],
    [
      'comes from the Hermes compiler, with another bundle name',
      { sources: ['rawfile/bundle.harmony.js'], mappings: 'AAAA', x_hermes_function_offsets: { 0: [0] } },
      'The source map is from the Hermes compiler, so it points to the bundle instead of the sources.',
    ],
    [
      'was composed and has one source',
      { sources: ['a.js'], mappings: 'AAAA', x_hermes_function_offsets: { 0: [0] }, x_facebook_sources: [null] },
      undefined,
    ],
    [
      'comes from Metro',
      { sources: ['a.js', 'b.js'], mappings: 'AAAA;AACA' },
      'The source map is from Metro, so it refers to lines of JavaScript. Hermes bytecode has only one line.',
    ],
    ['was composed', { sources: ['a.js'], mappings: 'AAAA;' }, undefined],
    [
      'points to the bundle and to one more source',
      { sources: ['index.android.bundle', 'a.js'], mappings: 'AAAA' },
      undefined,
    ],
    ['points to no source', { sources: [null], mappings: 'AAAA' }, undefined],
    ['has sections', { sections: [] }, undefined],
    ['has a section for the first line', { sections: [{ offset: { line: 0, column: 0 } }, null, {}] }, undefined],
    [
      'comes from Metro and has sections',
      { sections: [{ offset: { line: 0, column: 0 } }, { offset: { line: 1, column: 0 } }] },
      'The source map is from Metro, so it refers to lines of JavaScript. Hermes bytecode has only one line.',
    ],
    ['has no sources', { mappings: 'AAAA;AAAA' }, undefined],
  ])('checks a source map that %s', (_, map, flaw) => {
    const text = typeof map === 'string' ? map : `\uFEFF${JSON.stringify(map)}`
    expect(hermesMapFlaw(text, 'index.android.bundle')).toBe(flaw)
  })

  it('composes two maps and keeps the information from both', async () => {
    // Metro's map: line 1 of the bundle maps to a.js 1:1 at column 1, and to a.js 2:1 at column 5. The compiler's
    // map has the bytecode offsets 0, 3 and 9.
    const metro = { version: 3, sources: ['a.js'], names: ['pay'], mappings: 'AAAAA,IACA' }
    const compiler = { version: 3, sources: ['bundle'], names: [], mappings: 'AAAA,GAAG,MAAQ' }
    const composed = async (more: object = {}, hermes: object = {}) =>
      JSON.parse(
        String(
          await composeHermesMaps(JSON.stringify({ ...metro, ...more }), JSON.stringify({ ...compiler, ...hermes })),
        ),
      )
    expect(await composed()).toEqual({ version: 3, sources: ['a.js'], names: ['pay'], mappings: 'AAAAA,GAAAA,MACA' })
    expect(await composed({ sourcesContent: ['x'], x_facebook_sources: [[]], x_google_ignoreList: [0] })).toMatchObject(
      {
        sourcesContent: ['x'],
        x_facebook_sources: [[]],
        x_google_ignoreList: [0],
      },
    )
    const bare = await composed(
      { sourcesContent: [null], x_google_ignoreList: [] },
      { x_hermes_function_offsets: { 0: [1] } },
    )
    expect(bare).not.toHaveProperty('sourcesContent')
    expect(bare).not.toHaveProperty('x_google_ignoreList')
    expect(bare.x_hermes_function_offsets).toEqual({ 0: [1] })
    // Metro in React Native 0.87 writes one section per module, and no functions for generated modules.
    const section = (line: number, map: object) => ({ offset: { line, column: 0 }, map: { version: 3, ...map } })
    const own = section(0, { sources: ['__prelude__'], names: [], mappings: 'AAAA', x_google_ignoreList: [0] })
    const pay = section(1, { ...metro, x_facebook_sources: [['pay']], x_google_ignoreList: [] })
    const nested = section(2, { sections: [section(0, { ...metro, sources: ['b.js'], x_facebook_sources: [['b']] })] })
    const sectioned = { sections: [own, pay, nested], sources: undefined, names: undefined, mappings: undefined }
    expect(await composed(sectioned, { mappings: 'AACA,CACA' })).toEqual({
      version: 3,
      sources: ['__prelude__', 'a.js', 'b.js'],
      names: ['pay', 'pay'],
      mappings: 'ACAAA,CCAAC',
      x_facebook_sources: [null, ['pay'], ['b']],
      x_google_ignoreList: [0],
    })
    expect(await composed({ ...sectioned, sections: [own] })).not.toHaveProperty('x_facebook_sources')
    expect(await composed({ x_facebook_sources: null })).not.toHaveProperty('x_facebook_sources')
    // If two segments have the same position, the last one counts. Code before the first segment has no source.
    expect((await composed({}, { mappings: 'AAAA,AAAI' })).mappings).toBe('AACA')
    expect((await composed({ mappings: 'IAAA' }, { mappings: 'AAAA,GAAI' })).mappings).toBe('A,GAAA')
  })
})
