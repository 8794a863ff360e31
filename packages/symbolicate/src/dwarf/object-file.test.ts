import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { deflateSync } from 'node:zlib'
import { BinaryError, type BinarySource, binaryOf, describeMachO, readElfLayout } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { elf, type Section } from '../../../core/src/formats/elf/elf-sections.fixture.ts'
import type { Companions } from './companions.ts'
import { HiddenNames } from './hidden-names.ts'
import { openNativeSymbols } from './native-symbols.ts'
import { u16, u32, u64, zstd } from './numbers.fixture.ts'
import { type OpenChoice, openObjectFile } from './object-file.ts'

const SYMBOLS = resolve(import.meta.dirname, '../../../../fixtures/symbols')
const [SYMTAB, NOTE, DYNSYM] = [2, 7, 11]
const [ALLOCATED, COMPRESSED] = [2, 0x800]
const hex = (bytes: Iterable<number>) => Buffer.from([...bytes]).toString('hex')
async function open(source: BinarySource, choice?: OpenChoice) {
  const object = await openObjectFile(source, choice)
  object.dwarf?.work.restart()
  return object
}
const openElf = (sections: Section[], choice?: OpenChoice) => open(binaryOf(elf(64, true, sections)), choice)

const INFO: Section = { name: '.debug_info', bytes: 'aabb' }
const ABBREV: Section = { name: '.debug_abbrev', bytes: 'cc' }
const DAMAGED: Section = { name: '.debug_line', flags: COMPRESSED, bytes: hex([...u32(9), ...Array(20).fill(0)]) }
const packed = (name: string, bytes: Buffer, declared = bytes.length): Section => ({
  ...{ name, flags: COMPRESSED },
  bytes: hex([...u32(1), ...u32(0), ...u64(declared), ...u64(1), ...deflateSync(bytes)]),
})
const CODE: Section = { name: '.text', flags: ALLOCATED }
/** A symbol table with functions of 4 bytes at intervals of 16 in section `within`. Their names are in section `link`. */
const table = (type: number, link: number, names: readonly string[], within = 1): Section[] => {
  const symbols = names.flatMap((name, nth) => {
    const at = names.slice(0, nth).reduce((sum, it) => sum + it.length + 1, 0)
    return name === '' ? [] : [...u32(at), 0x12, 0, ...u16(within), ...u64(16 * (nth + 1)), ...u64(4)]
  })
  return [
    { name: type === SYMTAB ? '.symtab' : '.dynsym', type, link, bytes: hex(symbols) },
    { name: '.strtab', type: 3, bytes: hex(Buffer.from(names.map((it) => `${it}\0`).join(''))) },
  ]
}

describe('an ELF file', () => {
  it('reports the size of inflated sections, the largest of which are in a temporary file', async () => {
    const sections = [packed('.debug_info', Buffer.alloc(17_000_000)), packed('.debug_abbrev', Buffer.from('hello'))]
    const object = await openElf(sections)
    expect(object.inflated).toEqual({ memory: 5, disk: 17_000_000 })
    object.close()
    const symbols = await openNativeSymbols(
      binaryOf(elf(64, true, [INFO, packed('.debug_abbrev', Buffer.alloc(5000))])),
    )
    expect([symbols.weight, symbols.diskBytes]).toEqual([5000, 0])
  })

  it.each<[string, Section[], string | undefined]>([
    ['without debug information', [], undefined],
    ['without abbreviations', [INFO], undefined],
    ['without entries', [ABBREV], undefined],
    ['with empty sections', [{ ...INFO, bytes: '' }, ABBREV], undefined],
    ['with debug information and abbreviations', [INFO, ABBREV], 'aabb'],
    ['with compressed sections', [packed('.debug_info', Buffer.from('hello')), ABBREV], hex(Buffer.from('hello'))],
    [
      'with sections compressed by zstd',
      [
        {
          ...INFO,
          flags: COMPRESSED,
          bytes: hex([...u32(2), ...u32(0), ...u64(5), ...u64(1), ...zstd(Buffer.from('hello'))]),
        },
        ABBREV,
      ],
      hex(Buffer.from('hello')),
    ],
  ])('%s', async (_, sections, info) => {
    const { dwarf, format, textAddress, missingNames, id } = await openElf(sections)
    expect(dwarf && hex(dwarf.info.bytes(0, dwarf.info.size))).toBe(info)
    expect(Object.keys(dwarf ?? {}).sort()).toEqual(dwarf ? ['abbrev', 'info', 'work'] : [])
    expect({ format, textAddress, missingNames, id }).toEqual({ format: 'elf', textAddress: 0 })
  })

  it('lists each section of debug information under its name', async () => {
    const names = ['info', 'abbrev', 'line', 'str', 'line_str', 'str_offsets', 'addr', 'ranges', 'rnglists']
    const { dwarf } = await openElf(names.map((name, nth) => ({ name: `.debug_${name}`, bytes: `0${nth}` })))
    const { info, abbrev, line, str, lineStr, strOffsets, addr, ranges, rangeLists } = dwarf ?? {}
    const all = [info, abbrev, line, str, lineStr, strOffsets, addr, ranges, rangeLists]
    expect(all.map((it) => it?.bytes(0, 1)[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('reports a section that inflates to more than 4 GiB as damaged, without inflating it', async () => {
    const opening = (...declared: number[]) =>
      openElf([
        ...declared.map((it, nth) => packed(['.debug_info', '.debug_line'][nth] as string, Buffer.from('hello'), it)),
        ABBREV,
      ])
    const tooLarge = new BinaryError('damaged', 'The compressed sections are too large.')
    const wrong = new BinaryError('damaged', 'A compressed section cannot be decompressed.')
    await expect(opening(2 ** 32 + 1)).rejects.toEqual(tooLarge)
    await expect(opening(2 ** 32)).rejects.toEqual(wrong)
    await expect(opening(5, 2 ** 32 - 4)).rejects.toEqual(tooLarge)
    await expect(opening(5, 2 ** 32 - 5)).rejects.toEqual(wrong)
  })

  it('reads the build id of an ELF file', async () => {
    const id: Section = { name: '.note.gnu.build-id', type: NOTE, bytes: '040000000200000003000000474e5500abcd0000' }
    expect((await openElf([id])).id).toBe('abcd')
  })
})

describe('the symbols of an ELF file', () => {
  const mini = (() => {
    const source = binaryOf(readFileSync(join(SYMBOLS, 'beside/mini/libshop.so')))
    const found = readElfLayout(source).sections.find(({ name }) => name === '.gnu_debugdata')
    return hex(source.read(found?.offset ?? 0, found?.size ?? 0))
  })()
  const PACKED: Section = { name: '.gnu_debugdata', bytes: mini }
  const own = table(SYMTAB, 3, ['own'])
  const exported = (link: number) => table(DYNSYM, link, ['exported'])
  const LOCAL = '_ZN4shop3taxEli'

  it.each<[string, Section[], string[]]>([
    ['none', [], []],
    ['its own symbols', own, ['own']],
    ['its own symbols, without the default version in the name', table(SYMTAB, 3, ['own@@V1']), ['own']],
    ['no symbols from another version', table(SYMTAB, 3, ['own@V0']), []],
    ['its own symbols rather than exported ones', [...own, ...exported(5)], ['own']],
    ['the exported symbols if it has no others', exported(3), ['exported']],
    ['the exported symbols if its own have no names', [...table(SYMTAB, 3, ['']), ...exported(5)], ['exported']],
    ['no symbols if the address is an offset into debug information', [INFO, ...table(SYMTAB, 4, ['own'], 2)], []],
    ['no symbols if the section of names is missing', [{ ...(own[0] as Section), link: 9 }], []],
    ['its own symbols rather than compressed ones', [...own, PACKED], ['own']],
    ['the compressed and the exported symbols', [...exported(3), PACKED], ['exported', 'packed']],
    ['the compressed symbols if its own have no names', [...table(SYMTAB, 3, ['']), PACKED], ['packed']],
    ['no symbols if the compressed file is empty', [{ ...PACKED, bytes: '' }], []],
    [
      'the exported symbols if the compressed file is damaged',
      [...exported(3), { ...PACKED, bytes: 'abcd' }],
      ['exported'],
    ],
  ])('returns %s', async (_, sections, expected) => {
    const object = await openElf([CODE, ...sections])
    const symbols = object.symbols()
    const found = ['own', 'exported'].filter((name) => symbols.addressOf(name) === 16)
    const isPacked = symbols.weight > 0 && symbols.addressOf(LOCAL) !== undefined
    expect([...found, ...(isPacked ? ['packed'] : [])]).toEqual(expected)
    // The reader reads the symbols only once.
    expect(object.symbols()).toBe(symbols)
  })
})

describe('other files with parts of an ELF file', () => {
  const LINK: Section = { name: '.gnu_debugaltlink', bytes: hex(Buffer.from('common.dwz\0\xab', 'latin1')) }
  const ID: Section = { name: '.note.gnu.build-id', type: NOTE, bytes: '040000000100000003000000474e5500ab000000' }
  const supplementOf = (...sections: Section[]) => {
    const closed: string[] = []
    const named = (name: string, bytes: Buffer): BinarySource => ({
      ...binaryOf(bytes),
      close: () => void closed.push(name),
    })
    const other = named('supplement', elf(64, true, [ID, ...sections]))
    const companions: Companions = { package: () => undefined, split: () => [], supplement: () => [other] }
    const openOwn = (...own: Section[]) => open(named('own', elf(64, true, [LINK, ...own])), { companions })
    return { open: openOwn, companions, closed }
  }

  it('uses other files with parts of an ELF file, and closes them with it', async () => {
    const { open, closed } = supplementOf(INFO, ABBREV, { name: '.debug_str', bytes: '414200' })
    const { dwarf, missingNames, close } = await open(INFO, ABBREV)
    expect([dwarf?.supplement?.str?.text(0), missingNames, closed]).toEqual(['AB', undefined, []])
    close()
    expect(closed).toEqual(['supplement', 'own'])
  })

  it.each<[string, Section[]]>([
    ['have no debug information', []],
    ['are damaged', [INFO, ABBREV, DAMAGED]],
  ])('reports other files as missing if they %s', async (_, sections) => {
    const { dwarf, missingNames } = await supplementOf(...sections).open(INFO, ABBREV)
    expect([dwarf?.supplement, missingNames]).toEqual([undefined, 'common.dwz'])
  })

  it('reports other files as missing if none exist', async () => {
    const { missingNames, close } = await openElf([LINK, INFO, ABBREV])
    close()
    expect(missingNames).toBe('common.dwz')
  })

  it('does not search for other files without debug information', async () => {
    const { open, closed } = supplementOf(INFO, ABBREV)
    const { missingNames, close } = await open()
    close()
    expect([missingNames, closed]).toEqual([undefined, ['own']])
  })

  it('closes other files if the ELF file is damaged', async () => {
    const { open, closed } = supplementOf(INFO, ABBREV)
    await expect(open(INFO, ABBREV, DAMAGED)).rejects.toThrow(
      'The section .debug_line uses an unknown compression format.',
    )
    expect(closed).toEqual([])
    const gone = new Error('gone')
    // If compressed content cannot be read, the file does not count as damaged.
    const file = binaryOf(elf(64, true, [LINK, INFO, ABBREV, { name: '.gnu_debugdata', bytes: '00'.repeat(70_000) }]))
    const read: BinarySource['read'] = (position, length) => {
      if (length >= 70_000) throw gone
      return file.read(position, length)
    }
    const used = supplementOf(INFO, ABBREV)
    await expect(openObjectFile({ ...file, read }, used)).rejects.toBe(gone)
    expect(used.closed).toEqual(['supplement'])
    const companions: Companions = {
      ...{ package: () => undefined, split: () => [] },
      supplement: () => {
        throw gone
      },
    }
    await expect(openElf([LINK, INFO, ABBREV], { companions })).rejects.toBe(gone)
  })
})

describe('a Mach-O file', () => {
  const bytes = readFileSync(join(SYMBOLS, 'apple/Shop.framework.dSYM/Contents/Resources/DWARF/Shop'))
  const [intel, arm] = describeMachO(binaryOf(bytes)).map(({ uuid = '' }) => uuid) as [string, string]

  it.each<[OpenChoice, string]>([
    [{}, 'x86_64'],
    [{ arch: 'arm64' }, 'arm64'],
    [{ uuid: arm }, 'arm64'],
    // The UUID takes precedence over the architecture.
    [{ uuid: intel, arch: 'arm64' }, 'x86_64'],
  ])('opens a Mach-O file for %j as %s', async (choice, arch) => {
    const object = await openObjectFile(binaryOf(bytes), choice)
    expect(object).toMatchObject({ format: 'mach-o', id: arch === 'arm64' ? arm : intel })
    expect([object.dwarf?.hiddenNames, object.symbols().addressOf('nothing of this name')]).toEqual([
      undefined,
      undefined,
    ])
  })

  it('keeps the names that Xcode hid', async () => {
    const hiddenNames = new HiddenNames(binaryOf(Buffer.from('BCSymbolMap Version: 2.0\n')))
    expect((await openObjectFile(binaryOf(bytes), { hiddenNames })).dwarf?.hiddenNames).toBe(hiddenNames)
  })

  it.each<[OpenChoice, string]>([
    [{ arch: 'armv7' }, 'The file does not contain the architecture armv7.'],
    [{ uuid: 'A-B' }, 'The file does not contain the architecture A-B.'],
    [{ uuid: 'A-B', arch: 'arm64' }, 'The file does not contain the architecture A-B.'],
  ])('does not contain %j', async (choice, message) => {
    await expect(openObjectFile(binaryOf(bytes), choice)).rejects.toEqual(new BinaryError('other-format', message))
  })

  it('finds no symbols and no debug information in a stripped Mach-O file', async () => {
    const head = [0xfeedfacf, 0x0100000c, 0, 6, 0, 0, 0, 0].flatMap(u32)
    const empty = (await openObjectFile(binaryOf(Buffer.from(head)))).symbols()
    expect([empty.at(0), empty.addressOf(''), empty.weight]).toEqual([undefined, undefined, 0])
    const stripped = await openObjectFile(binaryOf(readFileSync(join(SYMBOLS, 'apple/more/no-uuid.dylib'))))
    expect([stripped.id, stripped.dwarf]).toEqual([undefined, undefined])
  })
})

describe('a WebAssembly module', () => {
  const custom = (name: string, content: number[]) => [
    0,
    name.length + 1 + content.length,
    name.length,
    ...Buffer.from(name),
    ...content,
  ]
  const openModule = (...sections: number[][]) =>
    open(binaryOf(Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()])))

  it('counts addresses from the start of its code, and contains custom sections', async () => {
    const code = [10, 4, 1, 2, 0, 0x0b]
    const { dwarf, symbols, close, ...object } = await openModule(
      ...[code, custom('.debug_info', [7, 8]), custom('.debug_abbrev', [9]), custom('build_id', [2, 0xab, 0xcd])],
    )
    expect(object).toEqual({
      format: 'wasm',
      id: 'abcd',
      inflated: { memory: 0, disk: 0 },
      textAddress: -10,
    })
    expect(dwarf && [hex(dwarf.info.bytes(0, 2)), dwarf.info.little]).toEqual(['0708', true])
  })

  it('opens a WebAssembly module without code and custom sections', async () => {
    const { textAddress, id, dwarf } = await openModule(custom('.debug_info', []), custom('.debug_abbrev', [9]))
    expect([textAddress, id, dwarf]).toEqual([-0, undefined, undefined])
  })
})

it.each<[string, Buffer, string]>([
  ['empty', Buffer.alloc(0), 'empty'],
  ['too short', Buffer.from([0x7f, 0x45, 0x4c]), 'other-format'],
  ['plain text', Buffer.from('hello, world'), 'other-format'],
])('refuses an object file that is %s', async (_, bytes, flaw) => {
  await expect(openObjectFile(binaryOf(bytes))).rejects.toMatchObject({ name: 'BinaryError', flaw })
})
