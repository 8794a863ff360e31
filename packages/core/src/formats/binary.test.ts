import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type BinarySource, BinaryView, binaryOf, openBinary, readWhole } from './binary.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-binary-'))
afterAll(() => rmSync(directory, { recursive: true }))

const BYTES = Buffer.from('0002030405060700', 'hex')

describe.each<[string, () => BinarySource]>([
  ['a file', () => openBinary(join(directory, 'file'))],
  ['memory', () => binaryOf(new Uint8Array(BYTES.buffer, BYTES.byteOffset, BYTES.length))],
])('%s', (_, open) => {
  it.each<[number, number, string]>([
    [0, 8, '0002030405060700'],
    [0, 100, '0002030405060700'],
    [2, 3, '030405'],
    [7, 1, '00'],
    [7, 2, '00'],
    [8, 1, ''],
    [9, 1, ''],
    [3, 0, ''],
  ])('reads from %i, for up to %i bytes', (position, length, expected) => {
    writeFileSync(join(directory, 'file'), BYTES)
    const source = open()
    expect(source.size).toBe(8)
    expect(source.read(position, length).toString('hex')).toBe(expected)
    source.close()
  })

  it('returns the requested bytes, or reports that they extend past the end', () => {
    const source = open()
    expect(readWhole(source, 6, 2, 'The table is truncated.').toString('hex')).toBe('0700')
    expect(() => readWhole(source, 6, 3, 'The table is truncated.')).toThrow(
      expect.objectContaining({
        name: 'BinaryError',
        flaw: 'truncated',
        message: 'The table is truncated.',
      }),
    )
    source.close()
  })
})

const outside = expect.objectContaining({
  name: 'BinaryError',
  flaw: 'damaged',
  message: 'The file contains an offset that points past the end of the file.',
})

describe.each<[keyof Pick<BinaryView, 'u8' | 'u16' | 'u32' | 'u64'>, number, number, number]>([
  ['u8', 1, 0x00, 0x00],
  ['u16', 2, 0x0200, 0x0002],
  ['u32', 4, 0x04030200, 0x00020304],
  ['u64', 8, 0x0007060504030200, 0x0002030405060700],
])('%s', (name, bytes, little, big) => {
  it('reads both byte orders and never reads past the end', () => {
    const shown = (value: number) => value.toString(16)
    expect(shown(new BinaryView(BYTES, true)[name](0))).toBe(shown(little))
    expect(shown(new BinaryView(BYTES, false)[name](0))).toBe(shown(big))
    const twice = new BinaryView(Buffer.concat([BYTES, BYTES]), true)
    expect(twice[name](16 - bytes)).toBe(new BinaryView(BYTES, true)[name](8 - bytes))
    for (const at of [17 - bytes, 16, -1, Number.NaN]) expect(() => twice[name](at)).toThrow(outside)
  })
})

it('ends a text at a NUL, at the end of the data or at the length limit', () => {
  const view = new BinaryView(Buffer.from('ab\0c\u00e9'), true)
  expect([0, 1, 2, 3, 6].map((at) => view.text(at, 3))).toEqual(['ab', 'b', '', 'c\u00e9', ''])
  expect(view.text(0, 1)).toBe('a')
  for (const at of [7, -1]) expect(() => view.text(at, 3)).toThrow(outside)
})
