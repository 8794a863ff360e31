import { FUNCTION, field } from './map-index/format.ts'
import type { SourceMap } from './source-map.ts'

const MAX_NAME = 1000

/**
 * Returns the original name of the function at a position in the minified file. The script's index is used to find the function, and the
 * map is used to translate its name. Lines and columns are one-based.
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

/**
 * Returns the start offset of the innermost function that contains a position. Returns undefined if no function contains the position or if
 * the functions are unknown.
 */
export function functionStartAt(map: SourceMap, line: number, column: number): number | undefined {
  const inner = functionAt(map, line, column)
  return inner && field(inner, FUNCTION.start)
}

function functionAt(map: SourceMap, line: number, column: number): Buffer | undefined {
  const { index } = map
  if (line > scriptLines(map) || index.count('functions') === 0) return undefined
  return innermostAt(map, index.at('lines', line - 1) + column - 1)
}

export function scriptLines({ index }: SourceMap): number {
  return Math.max(0, index.count('lines') - 1)
}

export function columnsIn(map: SourceMap, line: number): number | undefined {
  if (line < 1 || line > scriptLines(map)) return undefined
  return map.index.at('lines', line) - map.index.at('lines', line - 1) - 1
}

function innermostAt({ index }: SourceMap, offset: number): Buffer | undefined {
  let nth = index.countWhile('functions', (record) => field(record, FUNCTION.start) <= offset)
  while (nth > 0) {
    const record = index.record('functions', nth - 1)
    if (offset < field(record, FUNCTION.end)) return Buffer.from(record)
    nth = field(record, FUNCTION.around)
  }
  return undefined
}

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
/** Matches the export to which a bundled CommonJS module assigns a function, such as `module.exports = function`. */
const ASSIGNED = new RegExp(String.raw`^((?:${IDENTIFIER}\.)+(${IDENTIFIER}))\s*=(?![=>])`, 'u')
/** Matches keywords that are used as names, as in `get(key) {`, `set: function` or `delete(key) {`. */
const NAMED_SO = /^(?:(?:get|set|of|static)\s*[(<:=?]|delete\s*\()/
/** Words that cannot be the name of a function. If a mapping points to one of them, the mapping does not point to a name. */
const RESERVED = new Set(
  (
    'async await break case catch class const continue debugger default delete do else export extends finally for function get if ' +
    'import in instanceof let new of return set static super switch this throw try typeof var void while with yield'
  ).split(' '),
)

function nameIn(text: string): string | undefined {
  const [, path, last] = ASSIGNED.exec(text) ?? []
  if (last !== undefined) return last === 'exports' ? path : last
  const name = NAME.exec(text)?.[0]
  return name !== undefined && RESERVED.has(name) && !NAMED_SO.test(text) ? undefined : name
}

/** Matches the text that can be between a mapping and a name in unminified scripts, such as `async function `. */
const LEAD = new RegExp(
  String.raw`^(?:(?:async\s+)?function\s*\*?\s*|(?:const|let|var|class)\s+|\s*(?:${IDENTIFIER}\.)+|\s+(?:(?:static|async|get|set)\s+)*\*?\s*)$`,
  'u',
)

const MAX_LEAD = 200

/** Returns the name that starts a few columns after a mapping. Returns undefined if the text in between cannot precede a name. */
function nameBehind(text: string, columns: number): string | undefined {
  return columns <= MAX_LEAD && LEAD.test(text.slice(0, columns)) ? nameIn(text.slice(columns)) : undefined
}
