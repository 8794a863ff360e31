import { BinaryError, binaryOf } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { paged, Section, WorkLimit } from './section.ts'

const MIB = 1024 * 1024

describe('a section of a file', () => {
  const source = binaryOf(Buffer.from('....hello\0world'))
  const work = new WorkLimit()
  work.restart()
  const section = new Section(source, 4, 11, true, work)

  it('reads only within the bounds of a section', () => {
    expect(section.text(0)).toBe('hello')
    expect(section.text(6)).toBe('world')
    for (const [at, length] of [
      [-1, 1],
      [0, 12],
      [11, 1],
      [Number.NaN, 1],
      [2 ** 53, 1],
    ] as const) {
      expect(() => section.bytes(at, length)).toThrow(BinaryError)
    }
  })

  it.each<[string, (it: Section) => unknown, unknown]>([
    ['a cursor', (it) => [...it.cursor(6, 3).bytes], [...Buffer.from('wor')]],
    ['a cursor at the end', (it) => [...it.cursor(9, 9).bytes], [...Buffer.from('ld')]],
    ['an empty cursor at the very end', (it) => it.cursor(11, 1).bytes.length, 0],
    ['a part', (it) => it.part(6, 5).text(0), 'world'],
    ['an empty part', (it) => it.part(11, 0).size, 0],
  ])('returns %s', (_, read, expected) => {
    expect(read(section)).toEqual(expected)
  })

  it.each<[string, (it: Section) => unknown]>([
    ['a cursor before the start', (it) => it.cursor(-1, 1)],
    ['a cursor past the end', (it) => it.cursor(12, 0)],
    ['a part before the start', (it) => it.part(-1, 1)],
    ['a part that is too long', (it) => it.part(6, 6)],
    ['text at the end', (it) => it.text(11)],
    ['text before the start', (it) => it.text(-1)],
    ['bytes past the end', (it) => it.bytes(12, -1)],
  ])('does not return %s', (_, read) => {
    expect(() => read(section)).toThrow('The debug information contains an offset that is out of range.')
  })

  it('ends texts at a zero byte, at the end of the section, and at about 64 KiB', () => {
    const long = (length: number, rest = '\0x') => {
      const bytes = Buffer.from('y'.repeat(length) + rest)
      return new Section(binaryOf(bytes), 0, bytes.length, true, work).text(0).length
    }
    expect([0, 255, 256, 257, 4096, 65_535, 65_536].map((length) => long(length))).toEqual([
      0, 255, 256, 257, 4096, 65_535, 65_536,
    ])
    expect([long(5, ''), long(300, ''), long(70_000)]).toEqual([5, 300, 65_536])
  })

  it('reads at most 64 MiB for a query, and eight times the size of the section', () => {
    const limit = new WorkLimit()
    const bytes = Buffer.from([1, 2, 3, 4])
    const small = new Section(binaryOf(bytes), 0, 4, false, limit)
    const all = 64 * MIB + 32
    limit.restart()
    limit.spend(all)
    expect(() => limit.spend(1)).toThrow(new BinaryError('damaged', 'The debug information contains a cycle.'))
    limit.restart()
    limit.spend(all - 8)
    expect([small.cursor(0, 4).u32(), small.cursor(0, 4).u16()]).toEqual([0x01020304, 0x0102])
    expect(() => small.cursor(0, 1)).toThrow('contains a cycle')
  })

  it('reports a section that is longer than its file as damaged', () => {
    const cut = new Section(source, 4, 40, true, work)
    expect(() => cut.bytes(0, 12)).toThrow(
      new BinaryError('damaged', 'The debug information contains an offset that is out of range.'),
    )
    expect(cut.bytes(0, 11)).toHaveLength(11)
  })

  it('ends a query that reads the same bytes repeatedly', () => {
    const large = new Section(binaryOf(Buffer.alloc(MIB)), 0, MIB, true, work)
    const readForever = () => {
      for (;;) large.bytes(0, MIB)
    }
    expect(readForever).toThrow('contains a cycle')
    work.restart()
    expect(large.bytes(0, MIB)).toHaveLength(MIB)
  })
})

it('returns the available bytes across pages and at the end if it is paged', () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index & 0xff))
  const source = paged(binaryOf(bytes))
  for (const [at, length] of [
    [0, 10],
    [65_530, 20],
    [131_072, 65_536],
    [199_990, 100],
    [0, 200_000],
    [300_000, 5],
  ] as const) {
    expect(source.read(at, length).equals(bytes.subarray(at, at + length))).toBe(true)
  }
})
