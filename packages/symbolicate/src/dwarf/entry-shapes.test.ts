import { describe, expect, it } from 'vitest'
import { type Random, randomOf } from '../../../../test/support/random.ts'
import type { Abbreviation } from './abbreviations.ts'
import { AT, FORM } from './constants.ts'
import { Cursor } from './cursor.ts'
import { Shapes, skipEntry } from './entry-shapes.ts'
import { readForm } from './forms.ts'
import { u16, u32, u64 } from './numbers.fixture.ts'
import type { Unit } from './unit.ts'

const unitOf = (offsetBytes = 4, addressBytes = 8, offset = 0) =>
  ({ offset, offsetBytes, addressBytes, version: 4 }) as Unit
const UNITS = [unitOf(4, 4), unitOf(4, 8), unitOf(8, 4), unitOf(8, 8)]
const cursorOf = (bytes: readonly number[]) => new Cursor(Buffer.from(bytes), true)

/** The bytes of a value by its form. */
const BYTES: Partial<Record<number, (unit: Unit, random: Random) => number[]>> = {
  [FORM.data1]: () => [0x85],
  [FORM.flag]: () => [1],
  [FORM.data2]: () => u16(0x8081),
  [FORM.data4]: () => u32(0x80818283),
  [FORM.data8]: () => u64(7),
  [FORM.refSignature]: () => u64(7),
  [FORM.stringIndex1]: () => [0x90],
  [FORM.stringIndex3]: () => [1, 2, 3],
  [FORM.addressIndex4]: () => u32(5),
  [FORM.flagPresent]: () => [],
  [FORM.implicitConstant]: () => [],
  [FORM.stringPointer]: ({ offsetBytes }) => (offsetBytes === 8 ? u64 : u32)(0x81),
  [FORM.sectionOffset]: ({ offsetBytes }) => (offsetBytes === 8 ? u64 : u32)(0x82),
  [FORM.address]: ({ addressBytes }) => (addressBytes === 8 ? u64 : u32)(0x83),
  [FORM.string]: (_, random) => [...Array(random(5)).fill(65), 0],
  [FORM.unsignedData]: (_, random) => [...Array(random(3)).fill(0x80), 0x7f],
  [FORM.signedData]: (_, random) => [...Array(random(3)).fill(0xff), 0x40],
  [FORM.stringIndex]: () => [0x80, 1],
  [FORM.expression]: (_, random) => {
    const length = [0, 1, 0x7f, 0x80, 0x81][random(5)] as number
    return [...(length < 0x80 ? [length] : [length, 1]), ...Array(length).fill(0x99)]
  },
  [FORM.block1]: (_, random) => {
    const length = random(4)
    return [length, ...Array(length).fill(0x80)]
  },
}
const FORMS = Object.keys(BYTES).map(Number)

describe('skipping an entry', () => {
  it('moves over the same bytes as reading its attributes, for every form and unit size', () => {
    const random = randomOf(5)
    for (let round = 0; round < 400; round++) {
      const forms = Array.from({ length: random(7) }, () => FORMS[random(FORMS.length)] as number)
      const attributes = forms.flatMap((form) => [AT.name, form, 0])
      const table = new Map<number, Abbreviation>([[1, { tag: 0x34, hasChildren: true, attributes }]])
      for (const unit of UNITS) {
        const bytes = forms.flatMap((form) => BYTES[form]?.(unit, random) ?? [])
        const cursor = cursorOf([...bytes, 0x55])
        for (const form of forms) readForm(cursor, form, 0, unit)
        const shape = new Shapes({ get: (code) => table.get(code), size: 1, weight: 0 }, unit).of(1)
        expect([skipEntry(cursorOf([...bytes, 0x55]), 0, shape, unit), forms]).toEqual([cursor.at, forms])
      }
    }
  })
})
