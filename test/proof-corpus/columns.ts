import {
  AnyMap,
  decodedMappings,
  type TraceMap,
  traceSegment,
} from '../../packages/core/src/formats/source-map/trace-mapping.fixture.ts'
import type { Pair } from './builds.ts'
import { type Call, callsOf, Text } from './calls.ts'
import type { Frame, Thrown } from './page.ts'

/** The code of the script at which V8 reports a frame: `new`, the callee's name, or the parenthesis after a callee without a name. */
interface Site {
  isNew: boolean
  /** The called name in the script. Minifiers keep the names of properties and globals. */
  name?: string
}

/** A source as contained in a map. */
interface Source {
  text: Text
  calls: Call[]
  /** Offsets in the text that mappings point to. */
  mapped: Set<number>
}

const NAME = '[\\p{ID_Start}$_][\\p{ID_Continue}$]*'
const CALLED = '\\s*(?:\\?\\.\\s*)?[(`]'
const NEW = new RegExp(`^new\\s+(?:${NAME}\\.)*(${NAME})`, 'u')
const CALL = new RegExp(`^(${NAME})${CALLED}`, 'u')
const KEYWORDS = /^(?:await|yield|super|if|for|while|switch|return|throw|function|import|catch|with)$/
const WORD = /[\p{ID_Continue}$]/u
const OWN = /(?:^|\/)src\/(?!probe)/

/**
 * Constructs that compilers turn into calls although the source line contains no call: iterators, generators, classes, spreads, tags,
 * markup. Lines with such constructs are not judged.
 */
const SILENT =
  /\bfor\b.*\bof\b|\.\.\.|\b(?:await|yield|async|class|extends|function|get|set|using|super|constructor)\b|^\s*(?:export )?(?:const|let|var) [[{]|^\s*[<@{]|<\/|\/>|\{\{|\{[#@:/]/

/**
 * Frames of unmodified files that resolve to the right line, but to another position than V8's call. Their maps are off by some columns. A
 * frame's position must be in the call whose message contains the mark (`S12:`), or in any call of the line that can be on a stack. If the
 * line calls a name that the script also calls, the call must have that name. A coarse map is also right if its mapping begins before the
 * call and no other mapping is in between. A caller of `__probe` is on no stack, so a frame there is off.
 */
export function offByColumns(thrown: readonly Thrown[], pairs: readonly Pair[]): { file: string; text: string }[] {
  const found: { file: string; text: string }[] = []
  for (const pair of pairs) {
    const resolve = resolverOf(pair.map)
    const script = pair.script.split('\n')
    for (const { message, frames } of thrown) {
      const mark = /^[A-Z]\d+:/.exec(message)?.[0]
      let isThrown = false
      for (const frame of frames) {
        if (frame.file !== pair.file) continue
        const line = script[frame.line] ?? ''
        const site = siteAt(line, frame.column)
        const place = site && resolve(frame)
        // If the position follows another statement, it belongs to that statement. The call itself is unmapped, as in a compiler's helper.
        if (!site || !place || /[;{}]/.test(line.slice(place.column, frame.column))) continue
        const thrower = isThrown || !mark ? undefined : throwerOf(place.source, mark, place.at)
        if (thrower) isThrown = true
        const problem = problemOf(site, place, thrower)
        if (problem) found.push({ file: pair.file, text: `${message}: ${problem}` })
      }
    }
  }
  return found
}

interface Place {
  source: Source
  name: string
  /** The offset in the source. */
  at: number
  /** Where the mapping begins on the script's line. */
  column: number
  /** Whether the source's line is shorter. */
  isBeyond: boolean
}

function resolverOf(map: string): (frame: Frame) => Place | undefined {
  const tracer = new AnyMap(map) as TraceMap
  const sources = new Map<number, Source | undefined>()
  return ({ line, column }) => {
    const [begin = 0, index, found = 0, at = 0] = traceSegment(tracer, line, column) ?? []
    const name = tracer.resolvedSources[index ?? -1]
    if (index === undefined || !name || !OWN.test(name) || name.includes('node_modules')) return undefined
    if (!sources.has(index)) sources.set(index, sourceOf(tracer, index))
    const source = sources.get(index)
    if (!source) return undefined
    return {
      source,
      name,
      at: source.text.offset(found, at),
      column: begin,
      isBeyond: at > source.text.line(found).length,
    }
  }
}

function sourceOf(tracer: TraceMap, index: number): Source | undefined {
  const content = tracer.sourcesContent?.[index]
  if (!content) return undefined
  const text = new Text(content)
  const mapped = new Set<number>()
  for (const line of decodedMappings(tracer))
    for (const segment of line)
      if (segment[1] === index) mapped.add(text.offset(segment[2] as number, segment[3] as number))
  return { text, calls: callsOf(text, /\.(?:coffee|civet)\b/.test(tracer.resolvedSources[index] ?? '')), mapped }
}

function siteAt(line: string, column: number): Site | undefined {
  const rest = line.slice(column, column + 200)
  const made = NEW.exec(rest)
  if (made) return { isNew: true, name: made[1] as string }
  const called = CALL.exec(rest)
  if (called && !KEYWORDS.test(called[1] as string)) return { isNew: false, name: called[1] as string }
  // At a function's end, the code before the parenthesis is far from its start.
  const isCall = rest.startsWith('(') && /[\])]$/.test(line.slice(0, column)) && !/\}\)$/.test(line.slice(0, column))
  return isCall ? { isNew: false } : undefined
}

/** The call with the mark in its arguments, if the position is on one of its lines. */
function throwerOf({ text, calls }: Source, mark: string, at: number): Call | undefined {
  const standing = text.whole.indexOf(mark)
  if (standing < 0 || text.whole.includes(mark, standing + 1)) return undefined
  const around = calls.filter(({ open, end }) => open < standing && standing < end)
  const call = around.sort((a, b) => b.open - a.open)[0]
  if (!call || text.lineAt(at) < text.lineAt(call.start) || text.lineAt(at) > text.lineAt(standing)) return undefined
  return call
}

function problemOf(site: Site, { source, at, name, isBeyond }: Place, thrower?: Call): string | undefined {
  const { text, mapped } = source
  const where = `${name}: ${text.around(at)}, at ${site.isNew ? 'new ' : ''}${site.name ?? '('}`
  if (isBeyond) return `behind the line's end: ${where}`
  if (WORD.test(text.whole[at] ?? '') && WORD.test(text.whole[at - 1] ?? '')) return `in a word: ${where}`
  const line = text.lineAt(at)
  const near = source.calls.filter(({ start, open }) => text.lineAt(start) <= line && line <= text.lineAt(open))
  const possible = thrower ? [thrower] : near.filter((call) => call.name !== '__probe')
  const named = possible.filter((call) => call.name === site.name && call.isNew === site.isNew)
  const wanted = named.length > 0 ? named : possible
  if (wanted.some(({ start, inside }) => start <= at && at <= inside)) return undefined
  // The line itself is wrong, or belongs to a helper.
  if (wanted.length === 0) return undefined
  if (!thrower && SILENT.test(text.line(line))) return undefined
  const later = wanted.filter(({ open }) => at < open)
  if (later.length === 0) return `no call behind it: ${where}`
  const isKnown = later.some(({ start, callee, open }) =>
    // A mapping for the name after `new` shows nothing about `new`.
    [...mapped].some((known) => at < known && start <= known && known < (site.isNew ? callee : open)),
  )
  return isKnown ? `another place is known: ${where}` : undefined
}
