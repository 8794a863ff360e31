import type { GeneratedPosition } from '../formats/source-map/look-up.ts'
import type { ScriptFile } from './script-file.ts'

/** A position that a stack could name, and what must stand at its original. */
export interface Sample extends GeneratedPosition {
  kind: 'throw' | 'call' | 'function' | 'line-end'
  /** Word that minifiers leave as it is: it must stand at the original position too. */
  word?: string | undefined
}

/** Samples of one file; spread evenly over what was found. */
export const MAX_SAMPLES = 200
/** Larger files are looked at through windows of this many bytes, spread evenly over the file. */
const WINDOW = 1024
const WINDOWS = 16
const LONG_LINE = 500
const LINE_ENDS = 20

// Names of methods stay through minification, names of variables do not. The common ones that compilers themselves write prove nothing.
// What stands behind `...` is a variable.
const SITE = /\bthrow\b(?:[ \t]*\bnew\b)?|\bfunction\b|=>|(?<!\.\.|\$jscomp)\.([A-Za-z_$][\w$]{3,})[ \t]*\(/g
const WRITTEN_BY_COMPILERS =
  /^(?:apply|bind|call|concat|create\w*|jsx\w*|then|catch|push|join|forEach|wrap|mark|stop|abrupt|sent|next|exports|assign|keys|default\w*|defineProperty|hasOwnProperty|toString|prototype|freeze|resolve|(?:enter|leave|set)(?:Try|Catch|Finally|CatchFinally)Blocks?|get\w+Jsc|jumpTo(?:End)?|yield(?:All)?|__\w*|_(?:assertClassBrand|checkPrivateRedeclaration|defineProperty|(?:asyncGenerator|asyncToGenerator|classPrivate|classStatic|objectSpread|objectWithout|superProp|wrapAsync)\w*))$/

/** The begin of a line, in output that still has its comments. */
const COMMENT = /[ \t]*(?:\*|\/\/|\/\*)/y
/** Lines of minified code are longer. */
const MAX_COMMENT = 200

/** A sample before its line is known. */
export interface Site {
  offset: number
  kind: Sample['kind']
  word?: string | undefined
}

/** Picks throw sites, calls, function starts and the ends of long lines, in ascending order of position. */
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

/** Sites in a window that begins at an offset, outside of lines of comment. */
export function sitesIn(text: string, start: number): Site[] {
  const sites: Site[] = []
  let line = 0
  let nextLine = lineAfter(text, 0)
  COMMENT.lastIndex = 0
  // Elsewhere a window begins amid a line.
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
    if (isComment && at < line + MAX_COMMENT) continue
    if (method !== undefined) {
      if (!WRITTEN_BY_COMPILERS.test(method)) sites.push({ offset: start + at + 1, kind: 'call', word: method })
    } else if (whole.startsWith('throw')) {
      // The runtime reports where the error is made, and that is the `new`.
      const isNew = whole.endsWith('new')
      const offset = start + at + (isNew ? whole.length - 'new'.length : 0)
      sites.push({ offset, kind: 'throw', word: isNew ? 'new' : 'throw' })
    } else sites.push({ offset: start + at, kind: 'function', word: undefined })
  }
  return sites
}

/** Whether an index stands in a line of comment, as {@link sitesIn} has it. */
export function isInComment(text: string, index: number): boolean {
  const line = text.lastIndexOf('\n', index) + 1
  COMMENT.lastIndex = line
  return index < line + MAX_COMMENT && COMMENT.test(text)
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
    // The comments that tools append are nobody's code.
    if (end - start >= LONG_LINE && script.latin1(start, start + 2) !== '//') ends.push(end - 1)
  }
  return ends
}

/** At most `most` of the items, spread evenly. */
function thinned<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as T)
}
