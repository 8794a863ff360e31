import type { Token } from './tokens.ts'

/** A position in the script that is mapped to an examined source, and its original position. Lines and columns are zero-based. */
export interface Place extends Token {
  line: number
  column: number
  source: number
  originalLine: number
  originalColumn: number
  /** Whether the position is a throw or a call. Only these positions can appear in stacks. */
  isSite: boolean
  /**
   * Whether the position follows the last mapping in a run. In that case, a bundler or compiler may have added the code at the position.
   */
  isBehind: boolean
  /** The distance in characters from the start of the mapping to the position. */
  distance: number
  /** The start of the error message, if the code at this position creates an error. */
  errorText?: string | undefined
  /**
   * Whether an adjacent mapping has the same original position. Some tools emit several mappings for one word. Also true for a string in a
   * list, because tools map such strings to the previous line.
   */
  isShared?: boolean | undefined
  /**
   * Whether the position is the target of an assignment. An assignment itself does not throw. Compilers emit enum members and class methods
   * as assignments.
   */
  isAssigned?: boolean
}

export interface Tally {
  places: Place[]
  unmappedNames: Place[]
  /** The sampling interval: one of every `stride` positions is kept. */
  stride: number
  skip: number
  segments: number
  /** The number of segments on lines that are too long to be handwritten. `letters` counts the letters outside strings on these lines. */
  minified: number
  letters: number
}

export function isPassedOver(tally: Tally): boolean {
  if (tally.skip === 0) return false
  tally.skip--
  return true
}
