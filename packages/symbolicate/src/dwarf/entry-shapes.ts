import { BinaryError } from '@symup/core/resolving'
import type { Abbreviation, Abbreviations } from './abbreviations.ts'
import { AT, TAG } from './constants.ts'
import type { Cursor } from './cursor.ts'
import { fixedSize, readForm } from './forms.ts'
import type { Unit } from './unit.ts'

export interface Shape extends Abbreviation {
  /** The total size of the attributes in bytes, or undefined if a value encodes its own length. */
  size: number | undefined
  /** Whether the entry is a function or an inlined call that can have code. */
  isSubroutine: boolean
  isInlined: boolean
  /**
   * Whether the entry is a function with child entries but no code. Templates and the abstract origins of inlined functions are such
   * entries.
   */
  isDeclaration: boolean
}

/** The shapes of a unit's entries. Each shape is computed on first use. */
export class Shapes {
  readonly #abbreviations: Abbreviations
  readonly #unit: Unit
  readonly #shapes = new Map<number, Shape>()

  constructor(abbreviations: Abbreviations, unit: Unit) {
    this.#abbreviations = abbreviations
    this.#unit = unit
  }

  /** @throws BinaryError if the table does not contain the code. */
  of(code: number): Shape {
    const known = this.#shapes.get(code)
    if (known) return known
    const abbreviation = this.#abbreviations.get(code)
    if (!abbreviation)
      throw new BinaryError('damaged', 'The abbreviation of an entry in the debug information is missing.')
    const shape = shapeOf(abbreviation, this.#unit)
    this.#shapes.set(code, shape)
    return shape
  }
}

function shapeOf(abbreviation: Abbreviation, unit: Unit): Shape {
  const { tag, attributes, hasChildren } = abbreviation
  let hasCode = false
  let size: number | undefined = 0
  for (let index = 0; index < attributes.length; index += 3) {
    const name = attributes[index]
    if (name === AT.lowPc || name === AT.ranges) hasCode = true
    const own = fixedSize(attributes[index + 1] as number, unit)
    size = size === undefined || own === undefined ? undefined : size + own
  }
  const isFunction = tag === TAG.subprogram
  const isInlined = tag === TAG.inlinedSubroutine
  const isSubroutine = isInlined || (isFunction && hasCode)
  return { ...abbreviation, size, isSubroutine, isInlined, isDeclaration: isFunction && !hasCode && hasChildren }
}

/**
 * Skips an entry's attributes, but not its children.
 * @returns the position after the attributes, which is past the end of the bytes if the entry is incomplete.
 */
export function skipEntry(cursor: Cursor, at: number, { size, attributes }: Shape, unit: Unit): number {
  if (size !== undefined) return at + size
  cursor.at = at
  for (let index = 1; index < attributes.length; index += 3) readForm(cursor, attributes[index] as number, 0, unit)
  return cursor.at
}
