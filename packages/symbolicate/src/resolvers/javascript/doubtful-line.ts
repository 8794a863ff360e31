import type { ResolvedFrame, SnippetLine } from '../../frames.ts'
import { MAX_SHOWN } from './source-text.ts'

/**
 * Matches the property name in a TypeError message from V8, Firefox or WebKit. Array indexes are excluded, because the source code may use
 * a variable instead.
 */
const ACCESSED =
  /\((?:reading|setting) '(?!\d)([\w$]+)'\)|access property "(?!\d)([\w$]+)"|\(evaluating '[^'\n]*\.([\w$]+)'\)/

/**
 * Adds a note to the first frame if its line does not contain the property from the error message but a nearby line does. Compilers such as
 * React Compiler and Svelte copy property accesses without adding mappings.
 */
export function withDoubt(frames: readonly ResolvedFrame[], stack: string): ResolvedFrame[] {
  const [first, ...others] = frames
  const [, ...found] = ACCESSED.exec(stack.slice(0, stack.indexOf('\n'))) ?? []
  const property = found.find((name) => name !== undefined)
  if (!first?.resolved || property === undefined) return [...frames]
  const { line, snippet = [] } = first.resolved
  const access = new RegExp(`\\.${property.replaceAll('$', '\\$')}(?![\\w$])`)
  const other = snippet.find((near) => near.line !== line && access.test(near.code))
  const mayContain = ({ code }: SnippetLine) => code.includes(property) || code.length >= MAX_SHOWN
  if (!other || snippet.some((near) => near.line === line && mayContain(near))) return [...frames]
  const doubt = `The line may be wrong. Line ${other.line} contains "${property}", but line ${line} does not.`
  return [{ ...first, note: first.note === undefined ? doubt : `${first.note} ${doubt}` }, ...others]
}
