import { FUNCTION, field } from './map-index/format.ts'
import type { SourceMap } from './source-map.ts'

/** Characters that are looked at for a name. */
const MAX_NAME = 1000

/**
 * Which function of the original source a position of the minified file is in, as the index of the script says and the map translates. Lines and columns are
 * 1-based.
 */
export function functionNameAt(map: SourceMap, line: number, column: number): string | undefined {
  const inner = functionAt(map, line, column)
  if (!inner) return undefined
  const [name, owner] = [field(inner, FUNCTION.name), field(inner, FUNCTION.owner)]
  if (name === 0) return undefined
  const ownerName = owner === 0 ? undefined : originalName(map, owner - 1)
  if (field(inner, FUNCTION.isConstructor) === 1) return ownerName
  const own = originalName(map, name - 1)
  if (own === undefined) return undefined
  return ownerName === undefined ? own : `${ownerName}.${own}`
}

/** Offset in the script at which the innermost function that holds a position begins; undefined where there is none, or none is known. */
export function functionStartAt(map: SourceMap, line: number, column: number): number | undefined {
  const inner = functionAt(map, line, column)
  return inner && field(inner, FUNCTION.start)
}

function functionAt(map: SourceMap, line: number, column: number): Buffer | undefined {
  const { index } = map
  if (line > scriptLines(map) || index.count('functions') === 0) return undefined
  return innermostAt(map, index.at('lines', line - 1) + column - 1)
}

/** How many lines the script has; 0 where there is none. */
export function scriptLines({ index }: SourceMap): number {
  return Math.max(0, index.count('lines') - 1)
}

/** How many columns a line of the script has, 1-based; undefined where it has no such line. */
export function columnsIn(map: SourceMap, line: number): number | undefined {
  if (line < 1 || line > scriptLines(map)) return undefined
  return map.index.at('lines', line) - map.index.at('lines', line - 1) - 1
}

/** A copy of its record. @param offset in the script. */
function innermostAt({ index }: SourceMap, offset: number): Buffer | undefined {
  let nth = index.countWhile('functions', (record) => field(record, FUNCTION.start) <= offset)
  while (nth > 0) {
    const record = index.record('functions', nth - 1)
    if (offset < field(record, FUNCTION.end)) return Buffer.from(record)
    nth = field(record, FUNCTION.around)
  }
  return undefined
}

/** The name in the original source of what stands at an offset of the script. */
function originalName(map: SourceMap, offset: number): string | undefined {
  const line = map.index.countWhile('lines', (record) => field(record, 0) <= offset)
  const column = offset - map.index.at('lines', line - 1) + 1
  const found = map.originalAt(line, column)
  if (!found) return undefined
  const { name, since = 0 } = found
  if (since === 0 && name !== undefined) return name
  const text = map.sourceText(found, { line, column })?.lineFrom(found.line, found.column, MAX_NAME) ?? ''
  return since === 0 ? nameIn(text) : nameBehind(text, since)
}

const IDENTIFIER = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]*`
const NAME = new RegExp(`^#?${IDENTIFIER}`, 'u')
/** What a variable of the script stands for where modules of CommonJS are bundled: `module.exports = function`. */
const ASSIGNED = new RegExp(String.raw`^((?:${IDENTIFIER}\.)+(${IDENTIFIER}))\s*=(?![=>])`, 'u')
/** A word of the language that is a name all the same: `get(key) {`, `set: function`, `delete(key) {`. */
const NAMED_SO = /^(?:(?:get|set|of|static)\s*[(<:=?]|delete\s*\()/
/** A mapping that falls on one of these points at the construct, not at a name. */
const RESERVED = new Set(
  (
    'async await break case catch class const continue debugger default delete do else export extends finally for function get if ' +
    'import in instanceof let new of return set static super switch this throw try typeof var void while with yield'
  ).split(' '),
)

/** @param text of the source from where the name is mapped to. */
function nameIn(text: string): string | undefined {
  const [, path, last] = ASSIGNED.exec(text) ?? []
  if (last !== undefined) return last === 'exports' ? path : last
  const name = NAME.exec(text)?.[0]
  return name !== undefined && RESERVED.has(name) && !NAMED_SO.test(text) ? undefined : name
}

/** What may stand between a mapping and a name, in a script that is not minified. */
const LEAD = new RegExp(
  String.raw`^(?:(?:async\s+)?function\s*\*?\s*|(?:const|let|var|class)\s+|\s*(?:${IDENTIFIER}\.)+|\s+(?:(?:static|async|get|set)\s+)*\*?\s*)$`,
  'u',
)

/** Characters of it. */
const MAX_LEAD = 200

/** A mapping that begins before the name is of something else, unless the same stands between them in the source. */
function nameBehind(text: string, columns: number): string | undefined {
  return columns <= MAX_LEAD && LEAD.test(text.slice(0, columns)) ? nameIn(text.slice(columns)) : undefined
}
