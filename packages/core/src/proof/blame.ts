import { shownPath } from '../files/shown-path.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { OwnProof, SourceProof } from './prove-script.ts'

/** Who lost the map of a source, as far as the bundler knows: the last transform that changed its code and gave nothing useful back. */
export interface TransformFault {
  /** Name of the plugin. */
  plugin: string
  returned: 'no map' | 'an empty map' | 'a coarse map'
  /** The bundler then drops all mappings of the source: Rollup and Rolldown do unless the map is `null`. */
  isDropped?: true
}

/** By the source's absolute path, with `/`. */
export type TransformFaults = ReadonlyMap<string, TransformFault>

export interface Blamed {
  own: OwnProof
  problems: Problem[]
}

/**
 * Names the plugins in the reasons why sources do not resolve, and finds the sources that no map names because of one.
 * @param context.named the sources of all maps, as they are shown; undefined where some were not looked at, as when the intake refused the first ones: what they name is not known.
 */
export function withFaults(
  own: OwnProof,
  faults: TransformFaults,
  { named, cwd }: { named: ReadonlySet<string> | undefined; cwd: string },
): Blamed {
  const sources = new Map(
    [...own.sources].map(([name, source]): [string, SourceProof] => {
      const fault = source.wrong === undefined ? undefined : faultOf(faults, name)
      return [name, fault ? { ...source, wrong: textOf(fault) } : source]
    }),
  )
  if (!named) return { own: { ...own, sources }, problems: [] }
  // Where a transform returns no map, most bundlers keep the source and its lines.
  const broken = [...faults].filter(([, { returned, isDropped }]) => returned !== 'no map' || isDropped)
  const right = [...sources].filter(([, { wrong, places }]) => wrong === undefined && places > 0).map(([name]) => name)
  // The code without a source may be one's that a map names for some lines.
  const names = own.unmapped > 0 ? right : [...named]
  const lost = broken.filter(([path]) => !names.some((name) => isNameOf(name, path)))
  const [first] = lost
  if (!first) return { own: { ...own, sources }, problems: [] }
  const nowhere = lost.filter(([path]) => ![...named].some((name) => isNameOf(name, path)))
  for (const [path, fault] of nowhere)
    sources.set(shownPath(path, cwd), { places: 0, resolved: 0, wrong: textOf(fault) })
  if (own.unmapped > 0) {
    const more = lost.length > 1 ? t` and ${lost.length - 1} more` : ''
    const lostBy = t`${textOf(first[1])} for ${shownPath(first[0], cwd)}${more}`
    return { own: { ...own, sources, lostBy }, problems: [] }
  }
  const problems = lost.map(([path, fault]) =>
    problem('map-incomplete', t`No map names it: the plugin ${textOf(fault)} for it.`, { file: shownPath(path, cwd) }),
  )
  return { own: { ...own, sources }, problems }
}

function textOf({ plugin, returned }: TransformFault): string {
  const shown = { 'no map': t`no map`, 'an empty map': t`an empty map`, 'a coarse map': t`a coarse map` }[returned]
  return t`${plugin} returned ${shown}`
}

/** What is known of a source by the name that is shown of it; undefined where several could be meant. */
function faultOf(faults: TransformFaults, shown: string): TransformFault | undefined {
  const found = [...faults].filter(([path]) => isNameOf(shown, path))
  return found.length === 1 ? found[0]?.[1] : undefined
}

function isNameOf(shown: string, path: string): boolean {
  const name = shown.replace(/\?.*$/, '')
  return name !== '' && (path === name || path.endsWith(`/${name}`))
}
