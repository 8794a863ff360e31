import type { Tool } from './tool.ts'

/** Its helpers are those of Babel and of TypeScript. */
export const swc: Tool = { name: 'swc' }

const BIGINT_END = /[\da-f_]n$/i

/** Whether a word is the last letter of a number such as `16n`, which it maps to the position after the number. @param before the text before the original position. */
export function isEndOfBigInt(word: string, before: string): boolean {
  return word === 'n' && BIGINT_END.test(before)
}
