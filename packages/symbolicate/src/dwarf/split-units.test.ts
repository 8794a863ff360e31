import { BinaryError, type BinarySource, binaryOf } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { elf, type Section } from '../../../core/src/formats/elf/elf-sections.fixture.ts'
import type { Companions } from './companions.ts'
import { AT, FORM, TAG } from './constants.ts'
import { type Entry, unitOf } from './entries.fixture.ts'
import { sectionOf, u16, u32, u64 } from './numbers.fixture.ts'
import { WorkLimit } from './section.ts'
import { SplitUnits } from './split-units.ts'
import type { DwarfSections, Unit, UnitEntry } from './unit.ts'

const hex = (bytes: Iterable<number>) => Buffer.from([...bytes]).toString('hex')
const text = (value: string) => hex(Buffer.from(`${value}\0`))

interface Shape {
  version?: number
  offsetBytes?: number
  /** The value of `DW_AT_rnglists_base`. */
  listsBase?: number
}

/** The sections of a `.dwo` file with one unit. */
function sectionsOf(id: number, { version = 4, offsetBytes = 4, listsBase }: Shape = {}) {
  const values: Entry['values'] = [
    [AT.name, FORM.stringPointer, offsetBytes === 8 ? u64(0) : u32(0)],
    ...(version < 5 ? [[AT.gnuSplitId, FORM.data8, u64(id)] as Entry['values'][number]] : []),
    ...(listsBase === undefined ? [] : [[AT.rangeListsBase, FORM.data1, [listsBase]] as Entry['values'][number]]),
  ]
  const { sections } = unitOf([{ tag: TAG.compileUnit, values }])
  const size = offsetBytes === 8 ? u64 : u32
  const head = version < 5 ? [...u16(4), ...size(0), 8] : [...u16(5), 5, 8, ...size(0), ...u64(id)]
  const rest = [...head, ...sections.info.bytes(0, sections.info.size)]
  return {
    info: [...(offsetBytes === 8 ? u32(0xffffffff) : []), ...size(rest.length), ...rest],
    abbrev: [...sections.abbrev.bytes(0, sections.abbrev.size)],
  }
}

function objectOf(id: number, shape?: Shape, name = `unit ${id}`): Buffer {
  const { info, abbrev } = sectionsOf(id, shape)
  return elf(64, true, [
    { name: '.debug_info.dwo', bytes: hex(info) },
    { name: '.debug_abbrev.dwo', bytes: hex(abbrev) },
    { name: '.debug_str.dwo', bytes: text(name) },
  ])
}

/** A package of units whose parts follow each other. */
function packageOf(ids: readonly number[], damaged: Section[] = []): Buffer {
  const parts = ids.map((id, nth) => sectionsOf(id, nth === 0 ? {} : { listsBase: 30 + nth }))
  const startOf = (nth: number, part: 'info' | 'abbrev') =>
    parts.slice(0, nth).reduce((sum, it) => sum + it[part].length, 0)
  const places = parts.flatMap((_, nth) => [startOf(nth, 'info'), startOf(nth, 'abbrev')])
  const sizes = parts.flatMap(({ info, abbrev }) => [info.length, abbrev.length])
  const rows = ids.map((_, nth) => nth + 1)
  const index = [
    ...[2, 2, ids.length, ids.length].flatMap(u32),
    ...[...ids.flatMap(u64), ...[...rows, 1, 3, ...places, ...sizes].flatMap(u32)],
  ]
  const all: Section[] = [
    { name: '.debug_info.dwo', bytes: hex(parts.flatMap(({ info }) => info)) },
    { name: '.debug_abbrev.dwo', bytes: hex(parts.flatMap(({ abbrev }) => abbrev)) },
    { name: '.debug_str.dwo', bytes: text('packed') },
    { name: '.debug_cu_index', bytes: hex(index) },
  ]
  return elf(64, true, [...all.filter(({ name }) => !damaged.some((it) => it.name === name)), ...damaged])
}

function unitsOf(files: Record<string, Buffer[]>, packed?: Buffer | Error) {
  const asked: [string, string | undefined][] = []
  const closed: string[] = []
  const named = (name: string, bytes: Buffer | Error): BinarySource => ({
    ...binaryOf(bytes instanceof Error ? Buffer.alloc(64) : bytes),
    ...(bytes instanceof Error && {
      read: () => {
        throw bytes
      },
    }),
    close: () => void closed.push(name),
  })
  const companions: Companions = {
    package: () => packed && named('package', packed),
    split(name, directory) {
      asked.push([name, directory])
      return (files[name] ?? []).map((bytes, nth) => named(`${name} ${nth}`, bytes))
    },
    supplement: () => [],
  }
  const work = new WorkLimit()
  const [addr, ranges, supplement] = [sectionOf([1]), sectionOf([2]), { str: sectionOf([3]) }]
  const skeleton = { work, addr, ranges, supplement } as unknown as DwarfSections
  work.restart()
  const units = new SplitUnits(skeleton, companions)
  work.restart()
  const find = (name: string | undefined, id: number | undefined, offset = id ?? 0, more: Partial<UnitEntry> = {}) =>
    units.find({ offset } as Unit, {
      ...{ stringOffsetsBase: 0, addressBase: 40, rangeListsBase: 50, ...more },
      ...(name !== undefined && { splitName: name }),
      ...(id !== undefined && { splitId: id }),
    })
  return { asked, closed, find, skeleton, close: () => units.close() }
}

describe('the split unit for a skeleton', () => {
  it('finds the split unit in the file that the skeleton names', () => {
    const { find, asked, closed, skeleton } = unitsOf({ a: [objectOf(7)] })
    const found = find('a', 7, 0, { compilationDirectory: '/build', lowPc: 0x700 })
    expect(found?.entry).toEqual({
      ...{ name: 'unit 7', splitId: 7, stringOffsetsBase: 0, addressBase: 40, lowPc: 0x700 },
      // In DWARF 4, the lists are in the skeleton's file, and offsets start there.
      ...{ rangeListsBase: 12, rangesBase: 50 },
    })
    expect(found?.unit).toMatchObject({ offset: 0, firstEntry: 11, version: 4 })
    expect(found?.file.sections).toMatchObject({
      ...{ work: skeleton.work, addr: skeleton.addr, ranges: skeleton.ranges, supplement: skeleton.supplement },
    })
    expect([asked, closed]).toEqual([[['a', '/build']], []])
  })

  it.each<[string, Shape, number]>([
    ['after a header of 12 bytes', {}, 12],
    ['after a header of 20 bytes if offsets have 8 bytes', { offsetBytes: 8 }, 20],
    ['at the declared offset', { listsBase: 33 }, 33],
  ])('reads version 5 lists %s, and a start only if the skeleton has one', (_, shape, rangeListsBase) => {
    const entry = unitsOf({ a: [objectOf(7, { version: 5, ...shape })] }).find('a', 7)?.entry
    expect(entry).toMatchObject({ rangeListsBase, addressBase: 40, splitId: 7 })
    expect([entry && 'rangesBase' in entry, entry && 'lowPc' in entry]).toEqual([false, false])
  })

  it('searches for a split unit once', () => {
    const { find, asked, closed, close } = unitsOf({ a: [objectOf(7)] })
    expect(find('a', 7)).toBe(find('a', 7))
    expect(asked).toHaveLength(1)
    close()
    expect(closed).toEqual(['a 0'])
  })

  it.each<[string, Buffer[]]>([
    ['missing from every file', []],
    ['from another build', [objectOf(8)]],
    ['in a file of another type', [Buffer.from('hello')]],
    ['in a file without the unit', [elf(64, true, [])]],
    ['in a file without abbreviations', [elf(64, true, [{ name: '.debug_info.dwo', bytes: hex(sectionsOf(7).info) }])]],
  ])('requests a split unit once if it is %s, and closes the opened files', (_, files) => {
    const { find, asked, closed } = unitsOf({ a: files })
    expect([find('a', 7), find('a', 7), asked.length, closed.length]).toEqual([undefined, undefined, 1, files.length])
    // Another skeleton causes another search in the file.
    expect([find('a', 7, 99), asked.length]).toEqual([undefined, 2])
  })

  it('finds a split unit in the first file that contains it', () => {
    const { find, closed } = unitsOf({ a: [Buffer.from('hello'), objectOf(8), objectOf(7), objectOf(7, {}, 'late')] })
    expect(find('a', 7)?.entry.name).toBe('unit 7')
    expect(closed).toEqual(['a 0', 'a 1'])
  })

  it('finds no split unit if the skeleton names no file or no unit', () => {
    const { find, asked } = unitsOf({ a: [objectOf(7)] })
    expect([find(undefined, 7), find('a', undefined, 7), asked]).toEqual([undefined, undefined, []])
  })

  it('closes a split unit after 32 other units were requested', () => {
    const files = Object.fromEntries(Array.from({ length: 34 }, (_, nth) => [`f${nth}`, [objectOf(nth + 1)]]))
    const { find, closed, close } = unitsOf(files)
    for (let nth = 0; nth < 32; nth++) find(`f${nth}`, nth + 1)
    find('f0', 1)
    expect(closed).toEqual([])
    find('f32', 33)
    expect(closed).toEqual(['f1 0'])
    find('f33', 34)
    expect(closed).toEqual(['f1 0', 'f2 0'])
    close()
    expect(closed).toHaveLength(34)
  })

  it("rethrows the file system's error", () => {
    const gone = new Error('gone')
    const { find } = unitsOf({ a: [gone as never] })
    expect(() => find('a', 7)).toThrow(gone)
  })
})

describe('a package of split units', () => {
  it('finds units by their ids, and searches the files for other units', () => {
    const { find, asked, closed, close } = unitsOf({ a: [objectOf(9)] }, packageOf([7, 8]))
    expect([find('a', 7)?.entry, find('a', 8)?.entry]).toMatchObject([
      { name: 'packed', splitId: 7, rangeListsBase: 12 },
      { name: 'packed', splitId: 8, rangeListsBase: 31 },
    ])
    expect(asked).toEqual([])
    expect(find('a', 9)?.entry.name).toBe('unit 9')
    expect([asked.length, closed]).toEqual([1, []])
    close()
    expect(closed).toEqual(['a 0', 'package'])
  })

  it.each<[string, Buffer]>([
    ['without an index', packageOf([7], [{ name: '.debug_cu_index' }])],
    ['with another index', packageOf([7], [{ name: '.debug_cu_index', bytes: '00'.repeat(16) }])],
    ['of another type', Buffer.from('hello')],
  ])('closes a package if it is %s, and searches the files', (_, bytes) => {
    const { find, closed, close } = unitsOf({ a: [objectOf(7)] }, bytes)
    expect([closed, find('a', 7)?.entry.name]).toEqual([['package'], 'unit 7'])
    close()
    expect(closed).toEqual(['package', 'a 0'])
  })

  it('searches the files if the index of a package is invalid', () => {
    const { find } = unitsOf({ a: [objectOf(7)] }, packageOf([7], [{ name: '.debug_info.dwo', bytes: '00' }]))
    expect(find('a', 7)?.entry.name).toBe('unit 7')
  })

  it('closes a package that cannot be read', () => {
    const gone = new Error('gone')
    expect(() => unitsOf({}, gone)).toThrow(gone)
    expect(gone).not.toBeInstanceOf(BinaryError)
  })
})
