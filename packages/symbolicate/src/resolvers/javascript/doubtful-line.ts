import type { ResolvedFrame } from '../../frames.ts'

/** Matches the property in the message of a TypeError from V8, Firefox or WebKit. */
const ACCESSED = /\((?:reading|setting) '([\w$]+)'\)|access property "([\w$]+)"|\(evaluating '[^'\n]*\.([\w$]+)'\)/

/**
 * Adds a note to the first frame if a line nearby, but not the frame's own line, contains the property that could not be accessed. Some
 * compilers, such as React Compiler and Svelte, copy property accesses without a mapping.
 */
export function withDoubt(frames: readonly ResolvedFrame[], stack: string): ResolvedFrame[] {
  const [first, ...others] = frames
  const [, ...found] = ACCESSED.exec(stack.slice(0, stack.indexOf('\n'))) ?? []
  const property = found.find((name) => name !== undefined)
  if (!first?.resolved || property === undefined) return [...frames]
  const { line, snippet = [] } = first.resolved
  const isThere = (code: string) => code.includes(property)
  const other = snippet.find((near) => near.line !== line && isThere(near.code))
  if (!other || snippet.some((near) => near.line === line && isThere(near.code))) return [...frames]
  const doubt = `The line may be wrong: line ${other.line} contains "${property}", but line ${line} does not.`
  return [{ ...first, note: first.note === undefined ? doubt : `${first.note} ${doubt}` }, ...others]
}
