import { shownPath } from '../files/shown-path.ts'
import { withoutQuery } from '../files/url-path.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { OwnProof, SourceProof } from './own-proof.ts'
import { compilerFix, pluginFix } from './tools/index.ts'
import { ADDRESS, endingsOf, faultsOf, type TransformFault, type TransformFaults } from './transform-faults.ts'

export interface Blamed {
  own: OwnProof
  problems: Problem[]
}

/**
 * Adds the responsible plugin to each reason why a source does not resolve. Also finds sources that are missing from all maps because of a
 * plugin.
 * @param known the recorded faults, or undefined if no bundler was used.
 * @param context.named the names or URLs of the sources in all maps. Undefined if some maps were not examined, for example because the
 * intake rejected the first uploads.
 */
export function withFaults(
  own: OwnProof,
  known: TransformFaults | undefined,
  { named, cwd }: { named: ReadonlySet<string> | undefined; cwd: string },
): Blamed {
  const problems: Problem[] = []
  const sources = new Map<string, SourceProof>()
  const faults: TransformFaults = known ?? new Map()
  const faultsByName = faultsOf(faults, [...own.sources.keys()].map(withoutQuery))
  for (const [file, source] of own.sources) {
    const isAstray = source.strays !== undefined
    const fault = source.wrong !== undefined || isAstray ? faultsByName.get(withoutQuery(file)) : undefined
    if (!fault && (known || !isAstray)) {
      sources.set(file, source)
      continue
    }
    const wrong = fault ? textOf(fault) : t`the text in the source map has different lines`
    sources.set(file, { ...source, wrong })
    if (!isAstray) continue
    const message = fault
      ? t`Some throw statements and calls in this file resolve to wrong lines: ${wrong}.`
      : t`Throw statements and calls in this file resolve to wrong lines. The file was compiled without a source map before bundling, or it changed after the build.`
    problems.push(problem('map-stale', message, { file, ...fixOf(fault) }))
  }
  if (!named) return { own: { ...own, sources }, problems }
  // If a transform returns no map, most bundlers keep the mappings of the source, so stacks still resolve to its lines.
  const broken = [...faults].filter(([, { returned, isDropped }]) => returned !== 'no map' || isDropped)
  const right = [...sources].filter(([, { wrong, places }]) => wrong === undefined && places > 0).map(([name]) => name)
  // Unmapped code may belong to a source that is listed in a map but only partly mapped.
  const isOneOf = own.unmapped > 0 ? namesIn(right, cwd) : namesIn(named, cwd)
  const lost = broken.filter(([path]) => !isOneOf(path))
  const [first] = lost
  if (!first) return { own: { ...own, sources }, problems }
  const isNamed = namesIn(named, cwd)
  const nowhere = lost.filter(([path]) => !isNamed(path))
  for (const [path, fault] of nowhere)
    sources.set(shownPath(path, cwd), { places: 0, resolved: 0, wrong: textOf(fault) })
  if (own.unmapped > 0) {
    const more = lost.length > 1 ? t` and ${lost.length - 1} more` : ''
    const lostBy = `${shownPath(first[0], cwd)}${more}: ${textOf(first[1])}`
    return { own: { ...own, sources, lostBy }, problems }
  }
  for (const [path, fault] of lost) {
    const message = t`No source map contains this source file: ${textOf(fault)}.`
    problems.push(problem('map-incomplete', message, { file: shownPath(path, cwd) }))
  }
  return { own: { ...own, sources }, problems }
}

function namesIn(names: Iterable<string>, cwd: string): (path: string) => boolean {
  const [shown, published] = [new Set<string>(), new Set<string>()]
  for (const name of names) {
    shown.add(withoutQuery(name))
    // A build may use URLs as source names. Such a URL consists of the repository's address and the path of the source.
    if (ADDRESS.test(name)) for (const ending of endingsOf(name)) published.add(ending)
  }
  shown.delete('')
  return (path) =>
    [...endingsOf(path)].some((ending) => shown.has(ending)) ||
    (published.size > 0 && published.has(shownPath(path, cwd)))
}

function fixOf(fault: TransformFault | undefined): { fix?: string } {
  if (!fault) return { fix: compilerFix() }
  return fault.returned === 'no map' ? { fix: pluginFix(fault.plugin) } : {}
}

function textOf({ plugin, returned }: TransformFault): string {
  if (returned === 'no map') return t`${plugin} returned no source map`
  if (returned === 'an empty map') return t`${plugin} returned an empty source map`
  return t`${plugin} returned a coarse source map`
}
