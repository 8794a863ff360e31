import { BinaryError, binaryOf } from '@symup/core/internal'
import { describe, expect, it } from 'vitest'
import { paged, Section, WorkLimit } from './section.ts'

const MIB = 1024 * 1024

describe('Section', () => {
  const source = binaryOf(Buffer.from('....hello\0world'))
  const work = new WorkLimit()
  work.restart()
  const section = new Section(source, 4, 11, true, work)

  it('reads within itself only', () => {
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

  it('ends a question that reads the same over and over', () => {
    const large = new Section(binaryOf(Buffer.alloc(MIB)), 0, MIB, true, work)
    const readForever = () => {
      for (;;) large.bytes(0, MIB)
    }
    expect(readForever).toThrow('in circles')
    work.restart()
    expect(large.bytes(0, MIB)).toHaveLength(MIB)
  })
})

it('paged gives the bytes that are there, across pages and at the end', () => {
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
