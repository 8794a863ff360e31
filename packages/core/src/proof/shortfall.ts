import { readingsOf, withoutLiterals } from '../formats/javascript/code.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { COARSE, type Coverage, type Stretch } from './coverage.ts'
import { sitesIn } from './samples.ts'
import type { ScriptFile } from './script-file.ts'
import { named, shownSource } from './sources.ts'

/** Positions that do not resolve although the rest of the file does, and what is said of them. */
export interface Shortfall {
  /** Positions that were not among the samples. */
  positions: number
  /** Sources that are mapped too coarsely, by number. */
  coarse: ReadonlySet<number>
  problems: Problem[]
}

/** Bytes of a stretch that are looked at. */
const LOOKED_AT = 64 * 1024
/** Bytes of code that one helper explains: in more of it there is other code too. */
const HELPER_BYTES = 4096
/** Bundlers add code of their own that no source has: module wrappers, dynamic imports, interop. Each of these stands in some of it, and hardly in anyone's own code. */
const HELPERS =
  /modulepreload|preloadError|__esModule|exports:\s*\{\}|getOwnPropertyNames|getOwnPropertyDescriptor|toStringTag|__vite|__webpack|webpackChunk|webpackJsonp|__rspack|rspackChunk|__turbopack|TURBOPACK|__commonJS|System\.register|define\.amd|_interop|regeneratorRuntime|Symbol\.asyncIterator|registerSW|serviceWorker|Cannot call a class as a function|[Ii]nvalid attempt to|on non-instance|Generator is already executing|Super expression must|hasn't been initiali|is not iterable|Symbol\.iterator|Reflect\.construct|null==\w+\.return|"Arguments"===/g
/** The list of a module's exports, which bundlers map to the module's begin. */
const EXPORTS =
  /[\w$]+:\s*(?:\(\)\s*=>\s*[\w$.]+|function\(\)\s*\{\s*return [\w$.]+;?\s*\}),?\s*|get [\w$]+\(\)\s*\{\s*return [\w$.]+;?\s*\},?\s*/g
/** Share of a source's code in coarse stretches from which it counts as coarse; some tools map a helper or a template as one. */
const COARSE_SHARE = 0.3
/** One call may be a wrapper. */
const MIN_SITES = 2

/** Looks at the code that is mapped not at all, or coarsely: whether it is such as a stack may name. */
export function findShortfall(
  file: string,
  script: ScriptFile,
  { coverage, sources, coarse: known }: { coverage: Coverage; sources: readonly string[]; coarse: ReadonlySet<number> },
): Shortfall {
  if (coverage.isBeyond) {
    const message = 'Its map has lines that the script does not have.'
    return { positions: 1, coarse: known, problems: [problem('map-stale', message, { file })] }
  }
  const problems: Problem[] = []
  let positions = 0
  const gaps = [...coverage.unmapped, ...(coverage.tail ? [coverage.tail] : [])]
    .map((stretch) => ({ stretch, sites: sitesWithoutSource(script, stretch) }))
    .filter(({ sites }) => sites > 0)
  const [first] = gaps
  if (first) {
    positions = gaps.reduce((sum, { sites }) => sum + sites, 0)
    const { line, column } = first.stretch
    const more = gaps.length > 1 ? `, and ${positions - first.sites} in ${gaps.length - 1} more places` : ''
    const message = `From line ${line + 1}, column ${column + 1} on ${first.sites} positions in a row have no source in the map${more}.`
    problems.push(problem('map-incomplete', message, { file }))
  }
  const coarse = new Set([...coarseSources(script, coverage), ...known])
  if (coarse.size > 0) {
    const where = named([...coarse].map((source) => shownSource(sources[source] ?? '')))
    const message = `Throws and calls in ${where} lead to other lines than their own: a transform returned a coarse map.`
    problems.push(problem('map-low-resolution', message, { file }))
  }
  return { positions, coarse, problems }
}

/** Throws and calls in a stretch; 0 where they are too few, or the bundler's own. */
function sitesWithoutSource(script: ScriptFile, { before, ...stretch }: Stretch): number {
  const text = textOf(script, stretch)
  const helpers = text.match(HELPERS)?.length ?? 0
  if (helpers * HELPER_BYTES >= text.length && helpers > 0) return 0
  const [from, begin] = [before ?? stretch, stretch].map(({ line, column }) => script.offsetOf(line, column)) as [
    number,
    number,
  ]
  const readings = readingsOf(script.latin1(from, begin) + text)
  const sites = readings.map(
    (code) => sitesIn(code.slice(begin - from), 0).filter(({ word }) => word !== undefined).length,
  )
  const most = Math.max(...sites)
  return most >= MIN_SITES ? most : 0
}

function coarseSources(script: ScriptFile, { coarse, lengths }: Coverage): Set<number> {
  const characters = new Map<number, number>()
  for (const stretch of coarse) {
    const code = withoutLiterals(textOf(script, stretch)).replace(EXPORTS, '')
    // Data throws nothing.
    const words = code.match(/[A-Za-z_$][\w$]*/g)?.join('').length ?? 0
    if (words < COARSE / 2 || !code.includes('(')) continue
    characters.set(stretch.source, (characters.get(stretch.source) ?? 0) + code.length)
  }
  const found = [...characters].filter(([source, count]) => count >= COARSE_SHARE * (lengths[source] as number))
  return new Set(found.map(([source]) => source))
}

function textOf(script: ScriptFile, { line, column, endLine, endColumn }: Omit<Stretch, 'source'>): string {
  const start = script.offsetOf(line, column)
  return script.latin1(start, Math.min(start + LOOKED_AT, script.offsetOf(endLine, endColumn)))
}
