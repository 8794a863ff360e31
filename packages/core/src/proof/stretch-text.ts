import { readingsOf, withinTemplate, withoutLiterals } from '../formats/javascript/code.ts'
import type { Stretch } from './coverage.ts'
import { NAMES_OTHERS, OTHERS } from './helper-code.ts'
import type { ScriptFile } from './script-file.ts'

/** Bytes of a stretch to examine. */
const LOOKED_AT = 64 * 1024

/** The text of a stretch without ignored modules. */
export function textOf(script: ScriptFile, { line, column, endLine, endColumn }: Stretch): string {
  const start = script.offsetOf(line, column)
  return withoutOthers(script.latin1(start, Math.min(start + LOOKED_AT, script.offsetOf(endLine, endColumn))))
}

/** The text of a stretch without the rest of an ignored module in which it begins. The module's comment is before the stretch. */
export function textBehindForeignCode(script: ScriptFile, { line, column }: Stretch, text: string): string {
  const start = script.offsetOf(line, column)
  const before = script.latin1(Math.max(0, start - LOOKED_AT), start)
  // The first line may be cut.
  const ahead = start > LOOKED_AT ? before.slice(before.indexOf('\n') + 1) : before
  return withoutOthers(ahead + text).slice(ahead.length)
}

function withoutOthers(text: string): string {
  return !NAMES_OTHERS.test(text) ? text : text.replace(OTHERS, (module) => module.replace(/[^\n]/g, ' '))
}

/** The text before code inside a template, and the bytes to search for it. */
const [INTO_TEMPLATE, INTO_BYTES] = [/\$\{\s*$/, 8]

/** The text of a stretch without texts and comments, in every possible reading, and in the plausible ones. */
export function codesOf(script: ScriptFile, { before, ...stretch }: Stretch, text: string) {
  const isWhole = text.length < LOOKED_AT
  const [from, begin] = [before ?? stretch, stretch].map(({ line, column }) => script.offsetOf(line, column)) as [
    number,
    number,
  ]
  const piece = script.latin1(from, begin) + text
  const isWithin = before && INTO_TEMPLATE.test(script.latin1(Math.max(0, from - INTO_BYTES), from))
  // A template continues after the stretch if a mapping leads into its `${}`, or to that.
  const end = begin + text.length
  const goesOn = before && isWhole && (text.endsWith('${') || script.latin1(end, end + 2) === '${')
  const all = isWithin ? [withinTemplate(piece)] : goesOn ? readingsUpToTemplate(piece) : readingsOf(piece)
  const readings = all.map((code) => code.slice(begin - from))
  if (!before || readings.length === 1 || !isWhole) return { codes: readings, readings }
  return { codes: goesOn ? readings.slice(0, 1) : readings.slice(1), readings }
}

/**
 * The readings of a piece that is followed by the rest of a template. If it does not begin inside the template, the template began before
 * it, or before a `${}` that ends in it.
 */
function readingsUpToTemplate(piece: string): string[] {
  const readings = readingsOf(piece)
  if (readings.length > 1) return readings
  const within = withinTemplate(piece)
  return [within === readings[0] ? withoutLiterals(piece, true) : within]
}
