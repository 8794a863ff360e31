import type { GeneratedPosition } from './mappings.ts'

/** A position that a stack could name, and what must stand at its original. */
export interface Sample extends GeneratedPosition {
  kind: 'throw' | 'call' | 'function' | 'line-end'
  /** Word that minifiers leave as it is: it must stand at the original position too. */
  word?: string
}

/** Most samples of one file; spread evenly over what was found. */
export const MOST_SAMPLES = 200
/** Larger files are looked at through windows of this many characters, spread evenly over the file. */
const WINDOW = 4 * 1024
const WINDOWS = 16
const LONG_LINE = 500
const LINE_ENDS = 20

// Names of methods stay through minification, names of variables do not. The common ones that compilers themselves write prove nothing.
const SITE = /\bthrow\b(?:[ \t]*\bnew\b)?|\bfunction\b|=>|\.([A-Za-z_$][\w$]{3,})[ \t]*\(/g
const WRITTEN_BY_COMPILERS =
  /^(?:apply|bind|call|concat|create\w*|jsx\w*|then|catch|push|join|wrap|mark|stop|abrupt|sent|next|exports|assign|keys|default\w*|defineProperty|hasOwnProperty|toString|prototype|freeze|resolve|__\w*|[a-z]{1,2})$/

/** The line up to a match, in output that still has its comments; lines of minified code are longer. */
const COMMENT_LINE = /\n[ \t]*(?:\*|\/\/|\/\*)[^\n]*$/
const LONGEST_COMMENT = 200

/** Where the lines of a text begin, as offsets. */
export function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Picks throw sites, calls, function starts and the ends of long lines, in ascending order of position. */
export function pickSamples(script: string, lineStarts: readonly number[]): Sample[] {
  const found = new Map<number, Omit<Sample, 'line' | 'column'>>()
  for (const [start, end] of windowsOf(script.length)) {
    const text = script.slice(start, end)
    for (const match of text.matchAll(SITE)) {
      const [whole, method] = match
      const at = start + match.index
      if (isInComment(text, match.index)) continue
      if (method !== undefined) {
        if (!WRITTEN_BY_COMPILERS.test(method)) found.set(at + 1, { kind: 'call', word: method })
      } else if (whole.startsWith('throw')) {
        // The runtime reports where the error is made, and that is the `new`.
        const made = whole.endsWith('new')
        found.set(made ? at + whole.length - 3 : at, { kind: 'throw', word: made ? 'new' : 'throw' })
      } else found.set(at, { kind: 'function' })
    }
  }
  const sites = thinned(
    [...found].sort(([a], [b]) => a - b),
    MOST_SAMPLES - LINE_ENDS,
  )
  const ends = endsOfLongLines(script, lineStarts).map((at): [number, Omit<Sample, 'line' | 'column'>] => [
    at,
    { kind: 'line-end' },
  ])
  let line = 0
  return [...sites, ...ends]
    .sort(([a], [b]) => a - b)
    .map(([offset, site]) => {
      while (line + 1 < lineStarts.length && (lineStarts[line + 1] as number) <= offset) line++
      return { ...site, line, column: offset - (lineStarts[line] as number) }
    })
}

function isInComment(text: string, at: number): boolean {
  return COMMENT_LINE.test(text.slice(Math.max(0, at - LONGEST_COMMENT), at))
}

function windowsOf(length: number): [number, number][] {
  if (length <= WINDOW * WINDOWS) return [[0, length]]
  const step = (length - WINDOW) / (WINDOWS - 1)
  return Array.from({ length: WINDOWS }, (_, index) => {
    const start = Math.round(index * step)
    return [start, start + WINDOW]
  })
}

function endsOfLongLines(script: string, lineStarts: readonly number[]): number[] {
  const ends: number[] = []
  for (let line = 0; line < lineStarts.length && ends.length < LINE_ENDS; line++) {
    const start = lineStarts[line] as number
    const end = (lineStarts[line + 1] ?? script.length + 1) - 1
    // The comments that tools append are nobody's code.
    if (end - start >= LONG_LINE && !script.startsWith('//', start)) ends.push(end - 1)
  }
  return ends
}

/** At most `most` of the items, spread evenly. */
function thinned<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as T)
}
