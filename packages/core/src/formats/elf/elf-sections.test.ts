import { describe, expect, it } from 'vitest'
import { binaryOf } from '../binary.ts'
import { describeElf } from './elf.ts'
import { elf, type Section } from './elf-sections.fixture.ts'

// Facts that symup reads from ELF sections, checked with files built byte by byte.

const [SYMTAB, NOTE, NOBITS, DYNSYM, COMPRESSED] = [2, 7, 8, 11, 0x800]
const factsOf = (sections: Section[], bits: 32 | 64 = 64, little = true) =>
  describeElf(binaryOf(elf(bits, little, sections)))

/** The start of a unit: its length, its version, and the fields that follow in DWARF 4 or 5. */
const unit = (version: number, type: number) => `20000000${version.toString(16).padStart(2, '0')}000${type}0800`

const info = (bytes: string): Section => ({ name: '.debug_info', bytes })
const abbreviations = (shape: string): Section => ({ name: '.debug_abbrev', bytes: `0111${shape}00` })
const note = (name: string, kind: 1 | 3, id: string): Section => ({
  ...{ name, type: NOTE },
  bytes: `04000000020000000${kind}000000474e5500${id}0000`,
})
const DEBUG = { hasDebugInfo: true, stripped: false }

describe.each<[string, Section[], object]>([
  ['nothing', [], { stripped: true }],
  ['symbols', [{ name: '.symtab', type: SYMTAB, bytes: '00' }], { hasSymbolTable: true, stripped: false }],
  ['an empty symbol table', [{ name: '.symtab', type: SYMTAB }], {}],
  ['exported names', [{ name: '.dynsym', type: DYNSYM, bytes: '00' }], { hasDynamicSymbols: true }],
  ['an empty table of exported names', [{ name: '.dynsym', type: DYNSYM }], {}],
  ['compressed symbols', [{ name: '.gnu_debugdata', bytes: '00' }], { stripped: false }],
  ['empty compressed symbols', [{ name: '.gnu_debugdata' }], {}],
  ['debug information', [info(unit(5, 1))], DEBUG],
  ['empty debug information', [{ name: '.debug_info' }], {}],
  ['debug information in another file', [{ name: '.debug_info', type: NOBITS, size: 500 }], {}],
  ['a DWARF 5 skeleton', [info(unit(5, 4))], { ...DEBUG, hasSplitDebugInfo: true }],
  ['a DWARF 4 skeleton', [info(unit(4, 4)), abbreviations('b042')], { ...DEBUG, hasSplitDebugInfo: true }],
  ['complete DWARF 4 information', [info(unit(4, 4)), abbreviations('b142')], DEBUG],
  ['DWARF 4 information without abbreviations', [info(unit(4, 4))], DEBUG],
  ['truncated debug information', [info('20000000050004')], DEBUG],
  ['debug information in the old GNU compression format', [{ name: '.zdebug_info', bytes: unit(5, 4) }], DEBUG],
  ['debug information compressed with zlib', [{ ...info('0100000000000000'), flags: COMPRESSED }], DEBUG],
  ['debug information compressed with zstd', [{ ...info('0200000000000000'), flags: COMPRESSED }], DEBUG],
  [
    'build ids in two notes, one with the standard name',
    [note('.note.other', 3, 'bbbb'), note('.note.gnu.build-id', 3, 'abcd')],
    { buildId: 'abcd' },
  ],
  ['a build id only in another note', [note('.note.other', 3, 'bbbb')], { buildId: 'bbbb' }],
  ['notes without a build id', [note('.note', 1, 'bbbb')], {}],
])('a file with %s', (_, sections, expected) => {
  it('describes the file according to its content', () => {
    expect(factsOf(sections)).toEqual({
      ...{ arch: 'arm64', hasSymbolTable: false, hasDynamicSymbols: false },
      ...{ hasDebugInfo: false, hasSplitDebugInfo: false, stripped: true },
      ...expected,
    })
  })
})

it.each<[32 | 64, boolean]>([
  [32, true],
  [32, false],
  [64, false],
])('reads %i-bit little-endian headers: %s', (bits, little) => {
  const sections = [
    { name: '.symtab', type: SYMTAB, bytes: '00' },
    { name: '.debug_info', bytes: little ? unit(5, 4) : '0000002000050408' },
  ]
  expect(factsOf(sections, bits, little)).toMatchObject({ hasSymbolTable: true, hasSplitDebugInfo: true })
})

it.each<[number, 32 | 64, string]>([
  [3, 32, 'x86'],
  [8, 32, 'mips'],
  [40, 32, 'arm'],
  [62, 64, 'x64'],
  [243, 32, 'riscv32'],
  [243, 64, 'riscv64'],
  [258, 64, 'loongarch64'],
  [999, 64, 'machine-999'],
])('maps machine %i with %i bits to %s', (machine, bits, arch) => {
  expect(describeElf(binaryOf(elf(bits, true, [], machine))).arch).toBe(arch)
})

it('names a section that extends past the end, unless it is empty', () => {
  const beyond = (section: Section) => () => factsOf([section])
  expect(beyond({ name: '.text', size: 10_000 })).toThrow(
    'The file is truncated: section .text extends past the end of the file.',
  )
  expect(beyond({ name: '', size: 10_000 })).toThrow(
    'The file is truncated: section (no name) extends past the end of the file.',
  )
  expect(beyond({ name: '.bss', type: NOBITS, size: 10_000 })).not.toThrow()
  expect(beyond({ name: '', type: 0, size: 10_000 })).not.toThrow()
})
