import { blankLiterals } from './literals.ts'

/** Bytes that are looked at together. */
const MAX_TEXT = 1024 * 1024

/**
 * The same text, each character a byte, with spaces in place of comments, regular expressions and what stands between quotes; the quotes stay. Made for minified code, without parsing: what
 * stands in `${}` counts as template. What begins in one MiB ends there.
 * @param isInTemplate whether it begins inside of a template.
 */
export function withoutLiterals(text: string, isInTemplate = false): string {
  if (text.length > MAX_TEXT)
    return withoutLiterals(text.slice(0, MAX_TEXT), isInTemplate) + withoutLiterals(text.slice(MAX_TEXT))
  const bytes = Buffer.from(text, 'latin1')
  const code = Buffer.from(bytes)
  blankLiterals(bytes, code, isInTemplate)
  return code.toString('latin1')
}

/** The same for a piece of code that may begin inside of a template: as code, and where an odd number of its quotes lets it be, as such. */
export function readingsOf(piece: string): string[] {
  let quotes = 0
  for (let at = piece.indexOf('`'); at !== -1; at = piece.indexOf('`', at + 1)) if (piece[at - 1] !== '\\') quotes++
  const asCode = withoutLiterals(piece)
  return quotes % 2 === 0 ? [asCode] : [asCode, withoutLiterals(piece, true)]
}

/** The same for a piece of code that begins in the `${}` of a template: behind its brace the template goes on. */
export function withinTemplate(piece: string): string {
  const code = withoutLiterals(piece)
  let depth = 0
  for (const { 0: brace, index } of code.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    const behind = index + 1
    if (depth < 0) return code.slice(0, behind) + withoutLiterals(piece.slice(behind), true)
  }
  return code
}

/** What a statement imports or exports ends where the next statement begins: else each would be read up to the end of the text. */
const MODULE_STATEMENTS =
  /\b(?:import|export)\b(?:(?:(?!\b(?:import|export)\b)[\w$*{},\s])+?\bfrom\b)?\s*["'`]\s*["'`]?\s*;?|\bexport\s*\*\s*(?:as\s+[\w$]+\s*)?from\s*["'`]\s*["'`]?\s*;?|\bexport\s*\{[\w$,\s]*\}\s*;?/g

/** How a CommonJS module exports. */
const EXPORTS =
  /\bObject\.defineProperty\(\s*exports,[\s\w.'"`]*,\s*\{\s*value:\s*(?:!0|true|["'`]\s*["'`])\s*\}\s*\)|(?<![\w$.])(?:module\.exports|exports\.[\w$]+)\s*=(?![=>])/g

/** What may throw, or hold what does: a call, a property's look-up, a computed key, an operator, a statement that is no declaration. */
const RUNS =
  /[(.?/%*&|<>~^@#]|[\w$\])}]\s*\[|\]\s*:|(?<![\w$])(?:await|class|delete|do|for|function|if|in|instanceof|new|of|switch|throw|try|typeof|while|yield)(?![\w$])/
/** What bundlers make of JSON: it is never wrong. */
const JSON_DATA = /\bJSON\.parse\((["'`])\s*\1\)/g
const DECIMALS = /\b\d+\.\d+|(?<![\w$)\]])\.\d+/g

/** Whether a script does more than import, export and hold data: one that does not appears in no stack. */
export function hasCode(text: string): boolean {
  const code = withoutLiterals(text)
    .replace(MODULE_STATEMENTS, ' ')
    .replace(EXPORTS, ' ')
    .replace(/["']\s*["']\s*;?/g, ' ')
  return text.includes('${') || RUNS.test(code.replace(JSON_DATA, '0').replace(DECIMALS, '0'))
}
