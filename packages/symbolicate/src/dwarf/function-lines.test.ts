import { describe, expect, it } from 'vitest'
import { Cursor } from './cursor.ts'
import { functionPosition } from './function-lines.ts'
import type { LineHeader } from './line-header.ts'
import { u32, u64 } from './numbers.fixture.ts'

const HEADER = {
  version: 4,
  addressBytes: 8,
  minimumLength: 1,
  lineBase: -5,
  lineRange: 14,
  opcodeBase: 13,
  operandCounts: [0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1],
  files: { names: [0, 0] },
} as unknown as LineHeader
const END = [0, 1, 1]
const COPY = 1
const setAddress = (value: number) => [0, 9, 2, ...u64(value)]
/** The program has a row at the start, and a row for the next line four bytes later. */
const body = [COPY, 2, 4, 3, 1, COPY, 2, 4, ...END]
const FIRST = [3, 9, ...setAddress(0x1000), ...body]
/** Settings before the address apply to the first row of the sequence. */
const SECOND = [4, 2, 5, 7, 3, 19, ...setAddress(0x2000), ...body]
const THIRD = [...setAddress(0x3000), ...body]
const PROGRAM = [...FIRST, ...SECOND, ...THIRD]

function ask(start: number, address: number, program = PROGRAM, header: object = {}, little = true, before = 0) {
  const bytes = Buffer.from([...Array(before).fill(0), ...program])
  return functionPosition(new Cursor(bytes, little, before), { ...HEADER, ...header }, start, address)
}

describe('the row for an address in a function with its own sequence', () => {
  it.each<[number, number, [number, number, number] | undefined]>([
    [0x1000, 0x1000, [1, 10, 0]],
    [0x1000, 0x1003, [1, 10, 0]],
    [0x1000, 0x1004, [1, 11, 0]],
    [0x1000, 0x1007, [1, 11, 0]],
    [0x2000, 0x2003, [2, 20, 7]],
    [0x2000, 0x2007, [2, 21, 7]],
    [0x3000, 0x3000, [1, 1, 0]],
    // These addresses are past the end, or in functions without their own sequence.
    [0x1000, 0x1008, undefined],
    [0x1000, 0x2003, undefined],
    [0x1004, 0x1005, undefined],
    [0x4000, 0x4000, undefined],
    [0, 0x1000, undefined],
  ])('finds the row for the function 0x%s and the address 0x%s', (start, address, place) => {
    const [file, line, column] = place ?? []
    const expected = place && { file, line, column }
    expect(ask(start, address)).toEqual(expected)
    expect(ask(start, address, PROGRAM, {}, true, 5)).toEqual(expected)
  })

  it('finds the row for four-byte addresses and in the other byte order', () => {
    const address = (bytes: number[]) => [0, bytes.length + 1, 2, ...bytes]
    const four = [...FIRST, ...address(u32(0x2000)), ...body]
    expect(ask(0x2000, 0x2004, four, { addressBytes: 4 })).toEqual({ file: 1, line: 2, column: 0 })
    const big = [...FIRST, ...address(u64(0x2000).reverse()), ...body]
    expect(ask(0x2000, 0x2004, big, {}, false)).toEqual({ file: 1, line: 2, column: 0 })
    const high = [...FIRST, ...setAddress(0x7fff_1234_5678), ...body]
    expect(ask(0x7fff_1234_5678, 0x7fff_1234_567b, high)).toEqual({ file: 1, line: 1, column: 0 })
  })

  it('finds no row for addresses before the first row of the function', () => {
    const late = [...setAddress(0x5000), 2, 4, ...body]
    expect(ask(0x5000, 0x5003, late)).toBeUndefined()
    expect(ask(0x5000, 0x5004, late)).toEqual({ file: 1, line: 1, column: 0 })
  })

  it('finds no row if the sequence continues an earlier one, has no end, or refers to a file missing from the header', () => {
    const goesOn = [...setAddress(0x1000), ...Array(40).fill([COPY, 2, 4]).flat(), ...setAddress(0x2000), ...body]
    expect(ask(0x2000, 0x2000, goesOn)).toBeUndefined()
    expect(ask(0x1000, 0x1005, [...setAddress(0x1000), COPY])).toBeUndefined()
    const added = [4, 3, ...setAddress(0x1000), ...body]
    expect(ask(0x1000, 0x1000, added)).toBeUndefined()
    expect(ask(0x1000, 0x1000, [4, 2, ...added.slice(2)])).toMatchObject({ file: 2 })
    expect(ask(0x1000, 0x1000, [4, 2, ...added.slice(2)], { version: 5 })).toBeUndefined()
  })
})
