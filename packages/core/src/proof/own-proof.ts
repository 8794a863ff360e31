import { contentOf } from '../formats/source-map/text.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { OwnVerdict } from './own-verdict.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import type { SourceCounts } from './source-counts.ts'
import { shownSource } from './sources.ts'

export interface SourceProof {
  /** The number of checked throws, calls and names, and how many of them resolve to the correct line. */
  places: number
  resolved: number
  /** The original positions (one-based `line:column`) that unresolved positions are mapped to. */
  failed?: readonly string[]
  /** Whether no positions were checked because the map does not contain the text of the source. */
  isUnchecked?: true
  /** The number of affected lines, throws and calls, if a transform moved lines. */
  strays?: number
  /** The reason why stacks resolve to wrong lines in the source. */
  wrong?: string
}

export interface OwnProof {
  /** The results per source, keyed by displayed name. */
  sources: Map<string, SourceProof>
  /** The number of throws and calls that are not mapped to a source. */
  unmapped: number
  /** The plugin or loader that probably lost the mappings, if the bundler recorded it. */
  lostBy?: string
}

export type Reasons = readonly (readonly [sources: ReadonlySet<number>, reason: string])[]

export function ownSources(
  verdict: OwnVerdict,
  { map, names, isOwn, coverage, swapped }: ScriptEvidence,
  reasons: Reasons,
): OwnProof['sources'] {
  const found: OwnProof['sources'] = new Map()
  const why = new Map(reasons.flatMap(([sources, reason]) => [...sources].map((source) => [source, reason] as const)))
  for (const [source, other] of swapped)
    why.set(source, t`the source map contains the text of ${shownSource(names[other] ?? '')}`)
  const textless = [...coverage.seen].filter((source) => isOwn[source] && !contentOf(map.layout, source))
  for (const source of new Set([...verdict.sources.keys(), ...verdict.strays.keys(), ...why.keys(), ...textless])) {
    const [wrong, strays] = [why.get(source), verdict.strays.get(source)]
    const counts = verdict.sources.get(source)
    addSource(found, shownSource(names[source] ?? ''), {
      ...(counts ?? { places: 0, resolved: 0 }),
      ...(!counts && textless.includes(source) && { isUnchecked: true }),
      ...(wrong !== undefined && { wrong }),
      ...(strays !== undefined && { strays }),
    })
  }
  return found
}

export function swappedProblems(file: string, { swapped, names }: ScriptEvidence): Problem[] {
  const [first] = swapped
  if (!first) return []
  const [name, other] = first.map((source) => shownSource(names[source] ?? '')) as [string, string]
  const message = t`The sources in the source map are in the wrong order. For example, the text of ${name} is actually the text of ${other}.`
  return [problem('map-stale', message, { file })]
}

/** Adds wrong positions that were found by other checks. */
export function withFailed(verdict: OwnVerdict, found: ReadonlyMap<number, Iterable<string>>): OwnVerdict {
  if (found.size === 0) return verdict
  const sources = new Map<number, SourceCounts>(verdict.sources)
  let { places } = verdict
  for (const [source, positions] of found) {
    const counts = sources.get(source) ?? { places: 0, resolved: 0, failed: [] }
    const failed = [...counts.failed, ...positions]
    const more = failed.length - counts.failed.length
    sources.set(source, { ...counts, places: counts.places + more, failed })
    places += more
  }
  return { ...verdict, places, sources }
}

/** Merges the results for a source from several scripts. If a source is wrong in one script, the merged result is wrong. */
export function addSource(sums: OwnProof['sources'], name: string, found: SourceProof): void {
  const sum = sums.get(name)
  const places = (sum?.places ?? 0) + found.places
  const reason = sum?.wrong ?? found.wrong
  const strays = (sum?.strays ?? 0) + (found.strays ?? 0)
  const failed = [...(sum?.failed ?? []), ...(found.failed ?? [])]
  sums.set(name, {
    places,
    resolved: (sum?.resolved ?? 0) + found.resolved,
    ...(failed.length > 0 && { failed }),
    // If the script has no checked positions, the map of another script may still contain the missing text.
    ...(places === 0 && (sum?.isUnchecked || found.isUnchecked) && { isUnchecked: true }),
    ...(strays > 0 && { strays }),
    ...(reason !== undefined && { wrong: reason }),
  })
}
