import { readingsOf } from '../formats/javascript/code.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { Coverage, Stretch, Tail } from './coverage.ts'
import { HELPERS } from './helpers.ts'
import type { MapFile } from './map-file.ts'
import { type Site, sitesIn } from './samples.ts'
import type { ScriptFile } from './script-file.ts'
import { SourceTexts } from './source-texts.ts'

/** Positions without a source although the rest of the file has them, and what is said of them. */
export interface Shortfall {
  /** Positions that were not among the samples. */
  positions: number
  problems: Problem[]
}

/** Bytes of a stretch that are looked at. */
const LOOKED_AT = 64 * 1024
/** Bytes of code around a helper's mark that it explains. */
const HELPER_BYTES = 2048
/** The list of a module's exports, which bundlers map to the module's begin. */
const EXPORTS =
  /[\w$]+:\s*(?:\(\)\s*=>\s*[\w$.]+|function\(\)\s*\{\s*return [\w$.]+;?\s*\}),?\s*|get [\w$]+\(\)\s*\{\s*return [\w$.]+;?\s*\},?\s*/g
/** One call may be a wrapper. */
const MIN_SITES = 2
/** Different words in code behind a source's last mapping that the source does not have: then it is another's. */
const MIN_WORDS = 4

/** Looks at the code that is not mapped: whether it is such as a stack may name. */
export function findShortfall(
  file: string,
  { map, script }: { map: MapFile; script: ScriptFile },
  coverage: Coverage,
): Shortfall {
  if (coverage.isBeyond) {
    const message = t`Its map has lines that the script does not have.`
    return { positions: 1, problems: [problem('map-stale', message, { file })] }
  }
  const texts = new SourceTexts(map)
  const gaps = [
    ...coverage.unmapped.map((stretch) => ({ stretch, sites: sitesWithoutSource(script, stretch) })),
    ...coverage.tails.map((tail) => ({ stretch: tail, sites: sitesOfOthers(script, tail, texts) })),
  ].filter(({ sites }) => sites > 0)
  gaps.sort((a, b) => a.stretch.line - b.stretch.line || a.stretch.column - b.stretch.column)
  const [first] = gaps
  if (!first) return { positions: 0, problems: [] }
  const positions = gaps.reduce((sum, { sites }) => sum + sites, 0)
  const { line, column } = first.stretch
  const more = gaps.length > 1 ? t`, and ${positions - first.sites} in ${gaps.length - 1} more places` : ''
  const message = t`From line ${line + 1}, column ${column + 1} on ${first.sites} positions in a row have no source in the map${more}.`
  return { positions, problems: [problem('map-incomplete', message, { file })] }
}

/** How obfuscators put their table of texts in order: its calls name nothing, so that no site is found among them. */
const OBFUSCATED = /parseInt\(\w+\([^()]{1,40}\)\)\/(?:0x)?[0-9a-f]+/g
const MIN_OBFUSCATED = 5

/** Throws and calls in a stretch; 0 where they are too few, or the bundler's own. */
function sitesWithoutSource(script: ScriptFile, stretch: Stretch): number {
  const obfuscated = obfuscatedSites(script, stretch)
  if (obfuscated > 0) return obfuscated
  const sites = ownSites(script, stretch)
  return sites.length >= MIN_SITES ? sites.length : 0
}

/** The same of code behind a source's last mapping, where the source does not have it. */
function sitesOfOthers(script: ScriptFile, tail: Tail, texts: SourceTexts): number {
  const obfuscated = texts.has(tail.source, 'parseInt') ? 0 : obfuscatedSites(script, tail)
  if (obfuscated > 0) return obfuscated
  const others = ownSites(script, tail).filter(({ word }) => !texts.has(tail.source, word as string))
  return new Set(others.map(({ word }) => word)).size >= MIN_WORDS ? others.length : 0
}

/** Calls in the table of an obfuscator; 0 where there is none. */
function obfuscatedSites(script: ScriptFile, stretch: Stretch): number {
  const count = textOf(script, stretch).match(OBFUSCATED)?.length ?? 0
  return count >= MIN_OBFUSCATED ? count : 0
}

/** Throws and calls in a stretch, without those around a bundler's helpers. */
function ownSites(script: ScriptFile, { before, ...stretch }: Stretch): Site[] {
  const text = textOf(script, stretch)
  const [from, begin] = [before ?? stretch, stretch].map(({ line, column }) => script.offsetOf(line, column)) as [
    number,
    number,
  ]
  const codes = readingsOf(script.latin1(from, begin) + text).map((code) => code.slice(begin - from))
  const named = (code: string) => sitesIn(code, 0).filter(({ word }) => word !== undefined)
  const isPoor = (sites: Site[]) => sites.length < MIN_SITES
  // So few count for nothing, whatever stands around them.
  if (codes.every((code) => isPoor(named(code)))) return []
  const found = codes.map((code) => named(code.replace(EXPORTS, (list) => ' '.repeat(list.length))))
  const helpers = [...text.matchAll(HELPERS)].map(({ index }) => index)
  const readings = found.map((sites) =>
    sites.filter(({ offset }) => !helpers.some((helper) => Math.abs(helper - offset) < HELPER_BYTES)),
  )
  return readings.reduce((most, sites) => (sites.length > most.length ? sites : most))
}

function textOf(script: ScriptFile, { line, column, endLine, endColumn }: Stretch): string {
  const start = script.offsetOf(line, column)
  return script.latin1(start, Math.min(start + LOOKED_AT, script.offsetOf(endLine, endColumn)))
}
