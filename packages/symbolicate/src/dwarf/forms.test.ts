import { describe, expect, it } from 'vitest'
import { FORM } from './constants.ts'
import { Cursor } from './cursor.ts'
import { readForm } from './forms.ts'

const BYTES = Buffer.from([0x81, 2, 3, 4, 5, 6, 7, 8, ...Array(300).fill(0)])
const SIZES = { version: 4, offsetBytes: 4, addressBytes: 8 }
type Name = keyof typeof FORM

function read(form: number, sizes: object = {}, bytes = BYTES) {
  const cursor = new Cursor(bytes, true)
  const value = readForm(cursor, form, 42, { ...SIZES, ...sizes })
  return [value, cursor.at]
}

describe('reading a form', () => {
  const ONE = [0x81, 1]
  const TWO = [0x281, 2]
  const THREE = [0x30281, 3]
  const FOUR = [0x4030281, 4]
  const EIGHT = [0x04030281 + 0x08070605 * 2 ** 32, 8]
  const LEB = [0x101, 2]
  const groups: [unknown[], Name[]][] = [
    [ONE, ['data1', 'ref1', 'flag', 'stringIndex1', 'addressIndex1']],
    [TWO, ['data2', 'ref2', 'stringIndex2', 'addressIndex2']],
    [THREE, ['stringIndex3', 'addressIndex3']],
    [FOUR, ['data4', 'ref4', 'stringIndex4', 'addressIndex4', 'refSupplement4']],
    [EIGHT, ['data8', 'ref8', 'refSignature', 'refSupplement8', 'address']],
    [FOUR, ['stringPointer', 'lineStringPointer', 'sectionOffset', 'stringSupplement']],
    [FOUR, ['gnuRefAlternative', 'gnuStringAlternative', 'refAddress']],
    [LEB, ['unsignedData', 'refUnsigned', 'stringIndex', 'addressIndex', 'locationListIndex', 'rangeListIndex']],
    [LEB, ['gnuAddressIndex', 'gnuStringIndex', 'signedData']],
    [[1, 0], ['flagPresent']],
    [[42, 0], ['implicitConstant']],
    [[0, 9], ['string']],
    [[0, 0x82], ['block1']],
    [
      [0, 259],
      ['block', 'expression'],
    ],
    [[0, 16], ['data16']],
  ]
  it.each(groups.flatMap(([expected, names]) => names.map((name) => [name, expected] as const)))(
    'reads %s as %j',
    (name, expected) => {
      expect(read(FORM[name])).toEqual(expected)
    },
  )

  it('moves the cursor past the form if the length depends on the unit', () => {
    const pointers = ['stringPointer', 'lineStringPointer', 'sectionOffset', 'gnuRefAlternative', 'refAddress'] as const
    for (const name of pointers) expect(read(FORM[name], { offsetBytes: 8 })).toEqual(EIGHT)
    expect(read(FORM.address, { addressBytes: 4 })).toEqual(FOUR)
    expect([2, 3].map((version) => read(FORM.refAddress, { version }))).toEqual([EIGHT, FOUR])
    expect(read(FORM.signedData, {}, Buffer.from([0x7f]))).toEqual([-1, 1])
  })

  it('moves the cursor past lengths of two and of four bytes', () => {
    const bytes = Buffer.alloc(400)
    bytes[0] = 5
    bytes[1] = 1
    expect([FORM.block2, FORM.block4].map((form) => read(form, {}, bytes))).toEqual([
      [0, 263],
      [0, 265],
    ])
  })

  it('follows a form that refers to another one', () => {
    expect(read(FORM.indirect, {}, Buffer.from([FORM.data1, 7]))).toEqual([7, 2])
    for (const form of [FORM.indirect, FORM.implicitConstant, 0x7e])
      expect(() => read(FORM.indirect, {}, Buffer.from([form, 1, 1]))).toThrow(
        `The debug information uses the unknown form 0x${form.toString(16)}.`,
      )
  })
})

it.each([0, 2, 0x2d, 0x1f03])('refuses the unknown form %i', (form) => {
  expect(() => read(form)).toThrow(`The debug information uses the unknown form 0x${form.toString(16)}.`)
})
