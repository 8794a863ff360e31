import { readingsOf, withinTemplate, withoutLiterals } from '../formats/javascript/code.ts'
import type { Stretch } from './coverage.ts'
import type { ScriptFile } from './script-file.ts'
import { INTO_TEMPLATE, MAX_STRETCH } from './thresholds.ts'
import { withoutOthers } from './tools/index.ts'

export function textOf(script: ScriptFile, { line, column, endLine, endColumn }: Stretch): string {
  const start = script.offsetOf(line, column)
  return withoutOthers(script.latin1(start, Math.min(start + MAX_STRETCH, script.offsetOf(endLine, endColumn))))
}

/** Removes the rest of an ignored module from the start of a stretch. The comment that identifies the module is before the stretch. */
export function textBehindForeignCode(script: ScriptFile, { line, column }: Stretch, text: string): string {
  const start = script.offsetOf(line, column)
  const before = script.latin1(Math.max(0, start - MAX_STRETCH), start)
  // The first line may be incomplete.
  const ahead = start > MAX_STRETCH ? before.slice(before.indexOf('\n') + 1) : before
  return withoutOthers(ahead + text).slice(ahead.length)
}

/** Matches the `${` before an expression in a template literal. */
const BEFORE_EXPRESSION = /\$\{\s*$/

/**
 * Returns the code of a stretch without strings and comments. The code may be ambiguous: `readings` contains all interpretations, and
 * `codes` contains the plausible ones.
 */
export function codesOf(script: ScriptFile, { before, ...stretch }: Stretch, text: string) {
  const isWhole = text.length < MAX_STRETCH
  const [from, begin] = [before ?? stretch, stretch].map(({ line, column }) => script.offsetOf(line, column)) as [
    number,
    number,
  ]
  const piece = script.latin1(from, begin) + text
  const isWithin = before && BEFORE_EXPRESSION.test(script.latin1(Math.max(0, from - INTO_TEMPLATE), from))
  // If the stretch ends at a `${`, the template literal continues after the stretch.
  const end = begin + text.length
  const goesOn = before && isWhole && (text.endsWith('${') || script.latin1(end, end + 2) === '${')
  const all = isWithin ? [withinTemplate(piece)] : goesOn ? readingsUpToTemplate(piece) : readingsOf(piece)
  const readings = all.map((code) => code.slice(begin - from))
  if (!before || readings.length === 1 || !isWhole) return { codes: readings, readings }
  return { codes: goesOn ? readings.slice(0, 1) : readings.slice(1), readings }
}

/**
 * Returns the interpretations of a piece that is followed by the rest of a template literal. The literal may start before the piece, in the
 * piece, or before a `${}` that ends in the piece.
 */
function readingsUpToTemplate(piece: string): string[] {
  const readings = readingsOf(piece)
  if (readings.length > 1) return readings
  const within = withinTemplate(piece)
  return [within === readings[0] ? withoutLiterals(piece, true) : within]
}
