import {
  AnyMap,
  originalPositionFor,
  type TraceMap,
} from '../../packages/core/src/formats/source-map/trace-mapping.fixture.ts'
import type { Pair } from './builds.ts'
import type { Frame, Thrown } from './page.ts'

/**
 * The target of a frame: the source and the text of its line, with a number if the text occurs more than once:
 * `src/logic/cart.ts: throw fail()`; `nowhere`. Not the line number, because a plugin's output that a bundler took for
 * the original has other numbers, and the map is right for that output.
 */
export type Line = string

function tracerOf(map: string): (frame: Frame) => Line {
  let tracer: TraceMap
  try {
    tracer = new AnyMap(map) as TraceMap
  } catch {
    return () => 'nowhere'
  }
  const texts = new Map<string, string[]>()
  return ({ line, column }) => {
    const found = originalPositionFor(tracer, { line: line + 1, column })
    if (found.source === null || found.line === null) return 'nowhere'
    const known = texts.get(found.source)
    const text = known ?? linesOfText(tracer.sourcesContent?.[tracer.resolvedSources.indexOf(found.source)] ?? '')
    texts.set(found.source, text)
    return `${shortened(found.source)}: ${text[found.line - 1] ?? `line ${found.line}`}`
  }
}

function linesOfText(text: string): string[] {
  const counts = new Map<string, number>()
  return text.split('\n').map((line) => {
    const trimmed = line.trim()
    const count = (counts.get(trimmed) ?? 0) + 1
    counts.set(trimmed, count)
    return count === 1 ? trimmed : `(${count}) ${trimmed}`
  })
}

/** Tools name the same source in many ways. */
function shortened(source: string): string {
  return source.replace(/[?#].*$/, '').replace(/^.*\/(?=(?:src|node_modules)\/)/, '')
}

/** The lines of all frames, by file: for each probe, its frames in that file. */
export type Lines = Map<string, Map<string, Line[]>>

/**
 * The targets of each probe's frames.
 * @param roles the name of each file that is the same in all variants of a build.
 */
export function linesOf(thrown: readonly Thrown[], pairs: readonly Pair[]): Lines {
  const byFile = new Map(pairs.map((pair) => [pair.file, { role: pair.role, trace: tracerOf(pair.map) }]))
  const lines: Lines = new Map()
  for (const { message, frames } of thrown) {
    for (const frame of frames) {
      const pair = byFile.get(frame.file)
      if (!pair) continue
      const probes = lines.get(pair.role) ?? new Map<string, Line[]>()
      lines.set(pair.role, probes)
      probes.set(message, [...(probes.get(message) ?? []), pair.trace(frame)])
    }
  }
  return lines
}

/** A line of a source whose text is not in the map. */
const UNKNOWN_LINE = /: line \d+$/
/** Characters that suffice to identify a line. */
const MIN_TEXT = 12

/** Whether two lines mean the same: compiler output that was taken for the original has its own spaces, punctuation and line breaks. */
function isSame(left: Line, right: Line): boolean {
  if (left === right) return true
  const [[source, a], [otherSource, b]] = [left, right].map((line) => {
    const end = line.indexOf(': ')
    return [line.slice(0, end), line.slice(end + 1).replace(/[^\w.:]+/g, '')]
  }) as [[string, string], [string, string]]
  if (source !== otherSource || Math.min(a.length, b.length) < MIN_TEXT) return false
  return a.startsWith(b) || b.startsWith(a)
}

/** Lines of one file that differ from the ground truth. Frames that one of them lacks (a call was inlined) are not compared. */
export function changedLines(truth: ReadonlyMap<string, Line[]>, lines: ReadonlyMap<string, Line[]>, onlyTop: boolean) {
  let [changed, compared] = [0, 0]
  for (const [message, wanted] of truth) {
    const found = lines.get(message)
    if (!found) continue
    const count = onlyTop ? 1 : Math.min(wanted.length, found.length)
    for (let index = 0; index < count; index++) {
      compared++
      if (!isSame(wanted[index] as Line, found[index] as Line)) changed++
    }
  }
  return { changed, compared }
}

/**
 * Probes whose first frame resolves to another line than the one with the message: wrong in the unmodified build, for any reason. If no
 * frame of a file resolves, all of its probes are wrong: tsup with terser keeps the earlier map.
 */
export function wrongAsBuilt(thrown: readonly Thrown[], pairs: readonly Pair[]): { file: string; text: string }[] {
  const traces = new Map(pairs.map((pair) => [pair.file, tracerOf(pair.map)]))
  const tops = thrown.flatMap(({ message, frames: [top] }) => {
    const line = top && traces.get(top.file)?.(top)
    return line === undefined ? [] : [{ message, line, file: top?.file as string }]
  })
  const leading = new Set(tops.filter(({ line }) => line !== 'nowhere').map(({ file }) => file))
  return tops
    .filter(({ message, line, file }) => {
      const mark = /^[A-Z]\d+(?=:)/.exec(message)?.[0]
      // Without the source's text, this is undecidable.
      if (UNKNOWN_LINE.test(line)) return !leading.has(file)
      // The message may be on the next line, or be created in another statement.
      return !leading.has(file) || (mark && !line.includes(mark) && !/throw new|fail\(/.test(line))
    })
    .map(({ message, line, file }) => ({ file, text: `${message} leads to ${line}` }))
}
