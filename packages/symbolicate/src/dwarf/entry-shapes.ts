import type { Abbreviation, Shape } from './abbreviations.ts'
import { AT, FORM, TAG } from './constants.ts'
import type { Cursor } from './cursor.ts'
import { readForm } from './forms.ts'
import type { Unit } from './unit.ts'

export function shapeOf(abbreviation: Abbreviation, unit: Unit): Shape {
  const { shapes } = abbreviation
  const sizes = (unit.offsetBytes === 8 ? 2 : 0) + (unit.addressBytes === 8 ? 1 : 0)
  let shape = shapes[sizes]
  if (!shape) {
    shape = newShape(abbreviation, unit)
    shapes[sizes] = shape
  }
  return shape
}

function newShape(abbreviation: Abbreviation, unit: Unit): Shape {
  const { tag, attributes, hasChildren } = abbreviation
  let hasCode = false
  for (let index = 0; index < attributes.length; index += 3) {
    const name = attributes[index]
    if (name === AT.lowPc || name === AT.ranges) hasCode = true
  }
  const isFunction = tag === TAG.subprogram
  const isInlined = tag === TAG.inlinedSubroutine
  const steps = stepsOver(attributes, unit)
  const [only = 0] = steps
  return {
    steps,
    fixed: steps.length > 1 ? -1 : only,
    isSubroutine: isInlined || (isFunction && hasCode),
    isInlined,
    isDeclaration: isFunction && !hasCode && hasChildren,
    hasChildren,
  }
}

function stepsOver(attributes: readonly number[], unit: Unit): number[] {
  const steps: number[] = []
  for (let index = 0; index < attributes.length; index += 3) {
    const form = attributes[index + 1] as number
    const length = fixedLength(form, unit)
    const last = steps.length - 1
    if (Number.isNaN(length)) steps.push(-form)
    else if (last >= 0 && (steps[last] as number) >= 0) steps[last] = (steps[last] as number) + length
    else steps.push(length)
  }
  return steps
}

/**
 * Skips an entry's attributes, but not its children.
 * @returns the position after the attributes, which is past the end of the bytes if the entry is incomplete.
 */
export function skipEntry(cursor: Cursor, at: number, { fixed, steps }: Shape, unit: Unit): number {
  return fixed >= 0 ? at + fixed : take(cursor, at, steps, unit)
}

/**
 * Skips the attributes of an entry. This loop is executed more often than any other loop, so it handles the most common forms without a
 * function call.
 */
function take(cursor: Cursor, start: number, steps: readonly number[], unit: Unit): number {
  const { bytes } = cursor
  let at = start
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index] as number
    if (step >= 0) at += step
    else if (step === -FORM.expression && (bytes[at] as number) < 0x80) at += 1 + (bytes[at] as number)
    else if (step === -FORM.unsignedData || step === -FORM.signedData) while ((bytes[at++] as number) >= 0x80);
    else {
      cursor.at = at
      readForm(cursor, -step, 0, unit)
      at = cursor.at
    }
  }
  return at
}

function fixedLength(form: number, { addressBytes, offsetBytes }: Unit): number {
  switch (form) {
    case FORM.flagPresent:
    case FORM.implicitConstant:
      return 0
    case FORM.data1:
    case FORM.ref1:
    case FORM.flag:
    case FORM.stringIndex1:
    case FORM.addressIndex1:
      return 1
    case FORM.data2:
    case FORM.ref2:
    case FORM.stringIndex2:
    case FORM.addressIndex2:
      return 2
    case FORM.data4:
    case FORM.ref4:
    case FORM.stringIndex4:
    case FORM.addressIndex4:
      return 4
    case FORM.data8:
    case FORM.ref8:
    case FORM.refSignature:
      return 8
    case FORM.stringPointer:
    case FORM.lineStringPointer:
    case FORM.sectionOffset:
      return offsetBytes
    case FORM.address:
      return addressBytes
    default:
      return Number.NaN
  }
}
