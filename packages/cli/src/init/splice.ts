import type { Node } from './config-ast.ts'

export interface Splice {
  at: number
  text: string
}

export function spliced(code: string, splices: readonly Splice[]): string {
  // Insert from the end, so that earlier offsets remain valid.
  return [...splices]
    .reverse()
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: more }) => text.slice(0, at) + more + text.slice(at), code)
}

/**
 * Adds an item in the style of the existing items.
 * @returns undefined if an existing item is in parentheses.
 */
export function insertItem(
  code: string,
  { start, end }: Node,
  items: readonly (Node | null)[],
  text: string,
  first = false,
): Splice[] | undefined {
  const close = end - 1
  const own = items.filter((item) => item !== null)
  const [head] = own
  const last = own.at(-1)
  if (own.some(({ extra }) => extra?.parenthesized)) return undefined
  if (!head || !last) return insertOnly(code, start, close, text)
  const isBroken = code.slice(start, head.start).includes('\n')
  const indent = isBroken ? indentAt(code, head.start) : ''
  if (first) return [{ at: head.start, text: isBroken ? `${text},${lineEnd(code)}${indent}` : `${text}, ` }]
  const comma = code.slice(last.end, close).replace(/\/\*.*?\*\/|\/\/.*/gs, (comment) => ' '.repeat(comment.length))
  const hasComma = comma.includes(',')
  if (!isBroken)
    return [{ at: hasComma ? last.end + comma.indexOf(',') + 1 : last.end, text: hasComma ? ` ${text},` : `, ${text}` }]
  // A comment at the end of the line belongs to the previous item.
  const endOfLine = code.slice(0, close).indexOf('\n', last.end + (hasComma ? comma.indexOf(',') : 0))
  const at = endOfLine === -1 ? last.end : endOfLine - (code[endOfLine - 1] === '\r' ? 1 : 0)
  const line = `${lineEnd(code)}${indent}${text}${hasComma ? ',' : ''}`
  return hasComma
    ? [{ at, text: line }]
    : [
        { at: last.end, text: ',' },
        { at, text: line },
      ]
}

/**
 * Inserts the first item into an empty list. In an array, the item is inserted inline (`[symup()]`). In an object, it is inserted on a
 * separate line.
 */
function insertOnly(code: string, start: number, close: number, text: string): Splice[] {
  if (code[start] === '[') return [{ at: close, text }]
  const indent = indentAt(code, start)
  const isBroken = code.slice(start, close).includes('\n')
  const lineStart = code.lastIndexOf('\n', close) + 1
  const step = code.includes('\n\t') ? '\t' : '  '
  if (isBroken) return [{ at: lineStart, text: `${indent}${step}${text},${lineEnd(code)}` }]
  return [{ at: close, text: `${lineEnd(code)}${indent}${step}${text},${lineEnd(code)}${indent}` }]
}

/**
 * Inserts a line after a statement, or at the top of the file if there is no statement. Lines that must remain first, such as a shebang or
 * a type-check comment, stay above the new line.
 * @param after the end of the statement.
 */
export function insertLine(code: string, after: number | undefined, line: string): Splice {
  const eol = lineEnd(code)
  if (after === undefined) {
    const top = /^(?:#!.*(?:\r?\n))?(?:\/\/.*(?:\r?\n))*/.exec(code)?.[0].length ?? 0
    return { at: top, text: `${line}${eol}${code.startsWith(eol, top) ? '' : eol}` }
  }
  const end = code.indexOf('\n', after)
  const at = end === -1 ? code.length : end - (code[end - 1] === '\r' ? 1 : 0)
  return { at, text: `${eol}${line}` }
}

function indentAt(code: string, at: number): string {
  return /^[ \t]*/.exec(code.slice(code.lastIndexOf('\n', at - 1) + 1))?.[0] ?? ''
}

export const lineEnd = (code: string) => (code.includes('\r\n') ? '\r\n' : '\n')

export function withLastLine(code: string, line: string): string {
  const eol = lineEnd(code)
  return `${code.trimEnd()}${eol}${eol}${line}${eol}`
}
