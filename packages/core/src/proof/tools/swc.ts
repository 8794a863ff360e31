import type { Tool } from './tool.ts'

/** swc uses the helpers of Babel and TypeScript. */
export const swc: Tool = { name: 'swc' }

const BIGINT_END = /[\da-f_]n$/i

/**
 * Returns whether a word is the `n` suffix of a BigInt such as `16n`. swc maps the suffix to the position after the number.
 * @param before the text before the original position.
 */
export function isEndOfBigInt(word: string, before: string): boolean {
  return word === 'n' && BIGINT_END.test(before)
}
