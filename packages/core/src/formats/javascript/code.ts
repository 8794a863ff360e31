/** Behind these a slash begins a regular expression, not a division. */
const BEFORE_REGEXP = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|throw|void|delete|do|else))\s*$/

/** What may begin a comment, a regular expression or a text. */
const BEGIN = /["'`/]/g

/**
 * The same text with spaces in place of comments, regular expressions and what stands between quotes; the quotes stay. Made for minified code, without parsing: what
 * stands in `${}` counts as template.
 */
export function withoutLiterals(text: string): string {
  const pieces: string[] = []
  let kept = 0
  for (BEGIN.lastIndex = 0; BEGIN.test(text); ) {
    const index = BEGIN.lastIndex - 1
    const isText = text[index] !== '/'
    const end = isText ? endOf(text, index, text[index] as string) : endOfSlash(text, index)
    if (end === undefined) continue
    const closing = isText && end <= text.length && end - index > 1 ? text.slice(end - 1, end) : ''
    const isClosed = closing === text[index]
    pieces.push(text.slice(kept, index), isText ? (text[index] as string) : ' ')
    pieces.push(' '.repeat(end - index - 1 - (isClosed ? 1 : 0)), isClosed ? closing : '')
    kept = end
    BEGIN.lastIndex = end
  }
  pieces.push(text.slice(kept))
  return pieces.join('')
}

/** The same for a piece of code that may begin inside of a template: as code, and where an odd number of its quotes lets it be, as such. */
export function readingsOf(piece: string): string[] {
  let quotes = 0
  for (let at = piece.indexOf('`'); at !== -1; at = piece.indexOf('`', at + 1)) if (piece[at - 1] !== '\\') quotes++
  const asCode = withoutLiterals(piece)
  return quotes % 2 === 0 ? [asCode] : [asCode, withoutLiterals(`\`${piece}`).slice(1)]
}

/** The same for a piece of code that begins in the `${}` of a template: behind its brace the template goes on. */
export function withinTemplate(piece: string): string {
  const code = withoutLiterals(piece)
  let depth = 0
  for (const { 0: brace, index } of code.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    const behind = index + 1
    if (depth < 0) return code.slice(0, behind) + withoutLiterals(`\`${piece.slice(behind)}`).slice(1)
  }
  return code
}

/** Where the comment or regular expression ends that begins at a slash; undefined for a division. */
function endOfSlash(text: string, at: number): number | undefined {
  if (text[at + 1] === '/') {
    const end = text.indexOf('\n', at)
    return end === -1 ? text.length : end
  }
  if (text[at + 1] === '*') {
    const end = text.indexOf('*/', at + 2)
    return end === -1 ? text.length : end + 2
  }
  return BEFORE_REGEXP.test(text.slice(Math.max(0, at - 12), at)) ? endOfRegExp(text, at) : undefined
}

/** Behind the quote that ends a text; backslashes are counted backwards from each. */
function endOf(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    let back = at
    while (back > from + 1 && text[back - 1] === '\\') back--
    if ((at - back) % 2 === 0) return at + 1
  }
  return text.length
}

function endOfRegExp(text: string, from: number): number | undefined {
  let isInClass = false
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at]
    if (character === '\n') return undefined
    if (character === '\\') at++
    else if (character === '[') isInClass = true
    else if (character === ']') isInClass = false
    else if (character === '/' && !isInClass) return at + 1
  }
  return undefined
}

const MODULE_STATEMENTS =
  /\b(?:import|export)\b\s*(?:[\w$*{},\s]+?\bfrom\b\s*)?["'`]\s*["'`]?\s*;?|\bexport\s*\*\s*(?:as\s+[\w$]+\s*)?from\s*["'`]\s*["'`]?\s*;?|\bexport\s*\{[\w$,\s]*\}\s*;?/g

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
    .replace(/["']\s*["']\s*;?/g, ' ')
  return text.includes('${') || RUNS.test(code.replace(JSON_DATA, '0').replace(DECIMALS, '0'))
}
