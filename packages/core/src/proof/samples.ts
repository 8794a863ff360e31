import type { GeneratedPosition } from '../formats/source-map/look-up.ts'
import type { ScriptFile } from './script-file.ts'
import { LINE_ENDS, LONG_LINE, MAX_COMMENT_LINE, MAX_SAMPLES, WINDOW, WINDOWS } from './thresholds.ts'
import { CALLS, HELPER_OBJECTS } from './tools/index.ts'

/** A position that a stack may contain, and the expected text at its original. */
export interface Sample extends GeneratedPosition {
  kind: 'throw' | 'call' | 'function' | 'line-end'
  /** A word that minifiers keep, so it must also be at the original position. */
  word?: string | undefined
}

// Minifiers keep method names but not variable names. Common names that compilers generate prove nothing. The name
// after `...` is a variable.
const SITE = new RegExp(
  String.raw`\bthrow\b(?:[ \t]*\bnew\b)?|\bfunction\b|=>|(?<!\.\.|${HELPER_OBJECTS})\.([A-Za-z_$][\w$]{3,})[ \t]*\(`,
  'g',
)
const WRITTEN_BY_COMPILERS = new RegExp(
  `^(?:apply|bind|call|concat|then|catch|push|join|forEach|next|exports|assign|keys|defineProperty|hasOwnProperty|toString|prototype|freeze|resolve|${CALLS})$`,
)

/** The start of a comment line, in output with comments. */
const COMMENT = /[ \t]*(?:\*|\/\/|\/\*)/y

/** A sample without its line. */
export interface Site {
  offset: number
  kind: Sample['kind']
  word?: string | undefined
}

/** Selects throws, calls, function starts and ends of long lines, sorted by position. */
export function pickSamples(script: ScriptFile): Sample[] {
  const found = windowsOf(script.bytes.size).flatMap(([start, end]) => sitesIn(script.latin1(start, end), start))
  const sites = thinned(found, MAX_SAMPLES - LINE_ENDS)
  const ends = endsOfLongLines(script).map((offset): Site => ({ offset, kind: 'line-end', word: undefined }))
  const { lineStarts } = script
  let line = 0
  let [known, column] = [0, 0]
  return [...sites, ...ends]
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, kind, word }) => {
      while (line + 1 < lineStarts.length && (lineStarts[line + 1] as number) <= offset) {
        known = lineStarts[++line] as number
        column = 0
      }
      column += script.units(known, offset)
      known = offset
      return { kind, line, column, word }
    })
}

/** Sites in a window that starts at an offset, except on comment lines. */
export function sitesIn(text: string, start: number): Site[] {
  const sites: Site[] = []
  let line = 0
  let nextLine = lineAfter(text, 0)
  COMMENT.lastIndex = 0
  // A window at another offset begins in the middle of a line.
  let isComment = start === 0 && COMMENT.test(text)
  SITE.lastIndex = 0
  for (let match = SITE.exec(text); match; match = SITE.exec(text)) {
    const whole = match[0]
    const method = match[1]
    const at = match.index
    if (at >= nextLine) {
      while (at >= nextLine) {
        line = nextLine
        nextLine = lineAfter(text, line)
      }
      COMMENT.lastIndex = line
      isComment = COMMENT.test(text)
    }
    if (isComment && at < line + MAX_COMMENT_LINE) continue
    if (method !== undefined) {
      if (!WRITTEN_BY_COMPILERS.test(method)) sites.push({ offset: start + at + 1, kind: 'call', word: method })
    } else if (whole.startsWith('throw')) {
      // The runtime reports the position of `new`, where the error is created.
      const isNew = whole.endsWith('new')
      const offset = start + at + (isNew ? whole.length - 'new'.length : 0)
      sites.push({ offset, kind: 'throw', word: isNew ? 'new' : 'throw' })
    } else sites.push({ offset: start + at, kind: 'function', word: undefined })
  }
  return sites
}

/** Whether an index is on a comment line, as in {@link sitesIn}. */
export function isInComment(text: string, index: number): boolean {
  const line = text.lastIndexOf('\n', index) + 1
  COMMENT.lastIndex = line
  return index < line + MAX_COMMENT_LINE && COMMENT.test(text)
}

function lineAfter(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end + 1
}

function windowsOf(length: number): [number, number][] {
  if (length <= WINDOW * WINDOWS) return [[0, length]]
  const step = (length - WINDOW) / (WINDOWS - 1)
  return Array.from({ length: WINDOWS }, (_, index) => {
    const start = Math.round(index * step)
    return [start, start + WINDOW]
  })
}

function endsOfLongLines(script: ScriptFile): number[] {
  const ends: number[] = []
  for (let line = 0; line < script.lineStarts.length && ends.length < LINE_ENDS; line++) {
    const start = script.lineStarts[line] as number
    const end = script.lineEnd(line)
    // Comments that tools append are not code.
    if (end - start >= LONG_LINE && script.latin1(start, start + 2) !== '//') ends.push(end - 1)
  }
  return ends
}

/** At most `most` items, spread evenly. */
function thinned<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as T)
}
