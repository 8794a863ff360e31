import { BinaryError } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { Cursor } from './cursor.ts'

const BYTES = Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9])
type Read = (cursor: Cursor) => unknown

describe('fixed-size numbers', () => {
  it.each<[string, Read, number, number, number]>([
    ['u8', (it) => it.u8(), 1, 1, 1],
    ['u16', (it) => it.u16(), 2, 0x0201, 0x0102],
    ['three bytes', (it) => it.sized(3), 3, 0x030201, 0x010203],
    ['u32', (it) => it.u32(), 4, 0x04030201, 0x01020304],
    ['u64', (it) => it.u64(), 8, 0x08070605 * 2 ** 32 + 0x04030201, 0x01020304 * 2 ** 32 + 0x05060708],
    ['of 1 byte', (it) => it.sized(1), 1, 1, 1],
    ['of 2 bytes', (it) => it.sized(2), 2, 0x0201, 0x0102],
    ['of 4 bytes', (it) => it.sized(4), 4, 0x04030201, 0x01020304],
    ['of 8 bytes', (it) => it.sized(8), 8, 0x08070605 * 2 ** 32 + 0x04030201, 0x01020304 * 2 ** 32 + 0x05060708],
  ])('%s, in both byte orders', (_, read, size, little, big) => {
    for (const [isLittle, value] of [
      [true, little],
      [false, big],
    ] as const) {
      const cursor = new Cursor(BYTES.subarray(0, size), isLittle)
      expect([cursor.isAtEnd, read(cursor), cursor.at, cursor.isAtEnd]).toEqual([false, value, size, true])
      expect(() => read(new Cursor(BYTES.subarray(0, size), isLittle, 1))).toThrow(BinaryError)
    }
  })
})

it.each([
  [[0x00], 0, 0],
  [[0x3f], 63, 63],
  [[0x40], 64, -64],
  [[0x7f], 127, -1],
  [[0x80, 0x01], 128, 128],
  [[0xff, 0x7e], 16_255, -129],
  [[0xe5, 0x8e, 0x26], 624_485, 624_485],
  [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], 2 ** 49 - 1, -1],
])('reads LEB128 %j as %d, and as %d with a sign', (bytes, unsigned, signed) => {
  const after = Buffer.from([...bytes, 0x55])
  for (const [read, value] of [
    [(it: Cursor) => it.uleb(), unsigned],
    [(it: Cursor) => it.sleb(), signed],
    [(it: Cursor) => it.skipLeb(), undefined],
  ] as const) {
    const cursor = new Cursor(after, true)
    expect([read(cursor), cursor.at]).toEqual([value, bytes.length])
    expect(() => read(new Cursor(after.subarray(0, bytes.length - 1), true))).toThrow(
      'The debug information contains an offset that is out of range.',
    )
  }
})

it('reads text up to a zero byte, and reports text without one as damaged', () => {
  const cursor = new Cursor(Buffer.from('größe\0\0x'), true)
  expect([cursor.text(), cursor.at]).toEqual(['größe', 8])
  cursor.skipText()
  expect(cursor.at).toBe(9)
  expect(() => cursor.text()).toThrow(BinaryError)
  expect(() => cursor.skipText()).toThrow(BinaryError)
})

it.each([10, Number.NaN, Number.POSITIVE_INFINITY])('refuses to skip %d of 9 bytes', (count) => {
  expect(() => new Cursor(BYTES, true).skip(count)).toThrow(BinaryError)
})

it('skips up to the end', () => {
  const cursor = new Cursor(BYTES, true)
  cursor.skip(9)
  expect(cursor.isAtEnd).toBe(true)
})
