import { blankLiterals } from './literals.ts'

const MAX_TEXT = 1024 * 1024

/**
 * Replaces comments, regular expressions and the contents of strings with spaces. Each character of the text must be one byte. Quotes are
 * kept. The function does not parse the code: `${}` is treated as part of its template literal, and literals end at the boundary of a 1 MiB
 * piece.
 * @param isInTemplate whether the text starts inside a template literal.
 */
export function withoutLiterals(text: string, isInTemplate = false): string {
  if (text.length > MAX_TEXT)
    return withoutLiterals(text.slice(0, MAX_TEXT), isInTemplate) + withoutLiterals(text.slice(MAX_TEXT))
  const bytes = Buffer.from(text, 'latin1')
  const code = Buffer.from(bytes)
  blankLiterals(bytes, code, isInTemplate)
  return code.toString('latin1')
}

/**
 * Returns the possible interpretations of a piece of code. If the number of backticks is odd, the piece may also start inside a template
 * literal.
 */
export function readingsOf(piece: string): string[] {
  let quotes = 0
  for (let at = piece.indexOf('`'); at !== -1; at = piece.indexOf('`', at + 1)) if (piece[at - 1] !== '\\') quotes++
  const asCode = withoutLiterals(piece)
  return quotes % 2 === 0 ? [asCode] : [asCode, withoutLiterals(piece, true)]
}

/** Replaces literals with spaces in a piece that starts inside a template's `${}`. The template continues after the closing brace. */
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

/** Import and export clauses end where the next statement starts. Without this limit, each match would extend to the end of the text. */
const MODULE_STATEMENTS =
  /\b(?:import|export)\b(?:(?:(?!\b(?:import|export)\b)[\w$*{},\s])+?\bfrom\b)?\s*["'`]\s*["'`]?\s*;?|\bexport\s*\*\s*(?:as\s+[\w$]+\s*)?from\s*["'`]\s*["'`]?\s*;?|\bexport\s*\{[\w$,\s]*\}\s*;?/g

const EXPORTS =
  /\bObject\.defineProperty\(\s*exports,[\s\w.'"`]*,\s*\{\s*value:\s*(?:!0|true|["'`]\s*["'`])\s*\}\s*\)|(?<![\w$.])(?:module\.exports|exports\.[\w$]+)\s*=(?![=>])/g

/** Matches code that may throw: calls, property access, computed keys, operators, and statements other than declarations. */
const RUNS =
  /[(.?/%*&|<>~^@#]|[\w$\])}]\s*\[|\]\s*:|(?<![\w$])(?:await|class|delete|do|for|function|if|in|instanceof|new|of|switch|throw|try|typeof|while|yield)(?![\w$])/
/** Matches JSON modules in the form that bundlers emit. JSON modules never throw. */
const JSON_DATA = /\bJSON\.parse\((["'`])\s*\1\)/g
const DECIMALS = /\b\d+\.\d+|(?<![\w$)\]])\.\d+/g

/** Tests whether a script does more than import, export and hold data. Only scripts with executable code appear in stacks. */
export function hasCode(text: string): boolean {
  const code = withoutLiterals(text)
    .replace(MODULE_STATEMENTS, ' ')
    .replace(EXPORTS, ' ')
    .replace(/["']\s*["']\s*;?/g, ' ')
  return text.includes('${') || RUNS.test(code.replace(JSON_DATA, '0').replace(DECIMALS, '0'))
}
