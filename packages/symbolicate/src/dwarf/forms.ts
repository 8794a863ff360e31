import { BinaryError } from '@symup/core/resolving'
import { FORM } from './constants.ts'
import type { Cursor } from './cursor.ts'

export interface FormSizes {
  version: number
  /**
   * The size of an offset in bytes: 4 in the 32-bit DWARF format and 8 in the 64-bit format. The format is independent of the machine's
   * address size.
   */
  offsetBytes: number
  addressBytes: number
}

/** Reads the value of an attribute and advances the cursor. For a string or block, the result is its position. */
export function readForm(cursor: Cursor, form: number, constant: number, sizes: FormSizes): number {
  const start = cursor.at
  switch (form) {
    case FORM.data1:
    case FORM.ref1:
    case FORM.flag:
    case FORM.stringIndex1:
    case FORM.addressIndex1:
      return cursor.u8()
    case FORM.data2:
    case FORM.ref2:
    case FORM.stringIndex2:
    case FORM.addressIndex2:
      return cursor.u16()
    case FORM.stringIndex3:
    case FORM.addressIndex3:
      return cursor.u24()
    case FORM.data4:
    case FORM.ref4:
    case FORM.stringIndex4:
    case FORM.addressIndex4:
    case FORM.refSupplement4:
      return cursor.u32()
    case FORM.data8:
    case FORM.ref8:
    case FORM.refSignature:
    case FORM.refSupplement8:
      return cursor.u64()
    case FORM.stringPointer:
    case FORM.lineStringPointer:
    case FORM.sectionOffset:
    case FORM.stringSupplement:
    case FORM.gnuRefAlternative:
    case FORM.gnuStringAlternative:
      return cursor.sized(sizes.offsetBytes)
    case FORM.refAddress:
      return cursor.sized(sizes.version === 2 ? sizes.addressBytes : sizes.offsetBytes)
    case FORM.address:
      return cursor.sized(sizes.addressBytes)
    case FORM.unsignedData:
    case FORM.refUnsigned:
    case FORM.stringIndex:
    case FORM.addressIndex:
    case FORM.locationListIndex:
    case FORM.rangeListIndex:
    case FORM.gnuAddressIndex:
    case FORM.gnuStringIndex:
      return cursor.uleb()
    case FORM.signedData:
      return cursor.sleb()
    case FORM.flagPresent:
      return 1
    case FORM.implicitConstant:
      return constant
    case FORM.string:
      cursor.skipText()
      return start
    case FORM.block1:
      cursor.skip(cursor.u8())
      return start
    case FORM.block2:
      cursor.skip(cursor.u16())
      return start
    case FORM.block4:
      cursor.skip(cursor.u32())
      return start
    case FORM.block:
    case FORM.expression:
      cursor.skip(cursor.uleb())
      return start
    case FORM.data16:
      cursor.skip(16)
      return start
    case FORM.indirect: {
      const actual = cursor.uleb()
      if (actual === FORM.indirect || actual === FORM.implicitConstant) throw unknownForm(actual)
      return readForm(cursor, actual, 0, sizes)
    }
    default:
      throw unknownForm(form)
  }
}

function unknownForm(form: number): BinaryError {
  return new BinaryError('damaged', `The debug information uses the unknown form 0x${form.toString(16)}.`)
}
