import { build, type Output, type Pair } from './builds.ts'
import { DAMAGES } from './damages.ts'
import type { ProbingBrowser, Thrown } from './page.ts'
import { findingsOf } from './prove.ts'
import { changedLines, type Line, type Lines, linesOf, wrongAsBuilt } from './truth.ts'

/** One file of one build, as built or damaged, and what the proof said of it. */
export interface Case {
  build: string
  /** Undefined: as built. */
  damage?: string
  file: string
  /** Frames that were thrown in the file, and how many of them lead to another line than they should. */
  compared: number
  changed: number
  findings: string[]
}

/** What careless plugins do; `builds/transforms.mjs` has them. Each build gets two of them, in turns. */
const TRANSFORMS = [
  'empty map of a transform',
  'no map of a transform',
  'coarse preprocessor',
  'obfuscator as a plugin',
]
const RELEASES = { 'map of the build before': 'edited', 'map of another release': 'next' } as const

/** Loaders of webpack that give no map back make their output the original: the map is right for what it holds. */
const hasOriginals = (name: string, transform: string) =>
  transform !== 'no map of a transform' || /^(?:vite|rollup|rolldown)/.test(name)

interface Places {
  app: string
  cache: string
  browser: ProbingBrowser
}

/** All cases of a build. @param index its number, which chooses the plugins. @param kinds damages to try; all by default. */
export async function casesOf(
  places: Places,
  name: string,
  index: number,
  wants: (damage: string) => boolean = () => true,
) {
  const cases: Case[] = []
  const clean = await build(places, name)
  const thrown = await throwAll(places, clean)
  const truth = linesOf(thrown, clean.pairs)
  cases.push(...(await asBuilt(name, clean.pairs, truth)))

  for (const [damage, { apply, changesScripts = false }] of Object.entries(DAMAGES)) {
    if (!wants(damage)) continue
    const pairs = await apply(clean.pairs, { app: places.app, build: name })
    const again = changesScripts ? await throwAll(places, { ...clean, pairs }) : thrown
    cases.push(...(await judged(name, damage, { truth, pairs, lines: linesOf(again, pairs), onlyTop: changesScripts })))
  }

  for (const [damage, release] of Object.entries(RELEASES)) {
    if (!wants(damage)) continue
    const later = await build(places, name, { release })
    const thrownLater = await throwAll(places, later)
    const truthLater = linesOf(thrownLater, later.pairs)
    cases.push(...(await asBuilt(name, later.pairs, truthLater)))
    const stale = later.pairs.flatMap((pair) => {
      const before = clean.pairs.find(({ role }) => role === pair.role)
      return before ? [{ ...pair, map: before.map }] : []
    })
    cases.push(...(await judged(name, damage, { truth: truthLater, pairs: stale, lines: linesOf(thrownLater, stale) })))
  }

  const transforms = /^(?:parcel|farm)/.test(name) ? [] : TRANSFORMS.filter((_, at) => (at + index) % 2 === 0)
  if (name === 'vite 8, svelte') transforms.push('svelte-preprocess')
  for (const transform of transforms) {
    if (!wants(transform) || !hasOriginals(name, transform)) continue
    const output = await build(places, name, { transform })
    const lines = linesOf(await throwAll(places, output), output.pairs)
    cases.push(...(await judged(name, transform, { truth, pairs: output.pairs, lines, onlyTop: true })))
  }
  return { cases, wrong: wrongAsBuilt(thrown, clean.pairs) }
}

function throwAll({ browser }: Places, { pairs, others }: Output): Promise<Thrown[]> {
  const files = new Map([
    ...pairs.map(({ file, script }) => [file, script] as const),
    ...others.map(({ file, text }) => [file, text] as const),
  ])
  return browser.throwAll(files)
}

async function asBuilt(build: string, pairs: readonly Pair[], truth: Lines): Promise<Case[]> {
  const findings = await findingsOf(pairs)
  return pairs.map(({ file, role }) => {
    const compared = [...(truth.get(role)?.values() ?? [])].reduce((sum, { length }) => sum + length, 0)
    return { build, file, compared, changed: 0, findings: findings.get(file) ?? [] }
  })
}

interface Evidence {
  truth: Lines
  pairs: readonly Pair[]
  lines: Lines
  onlyTop?: boolean
}

async function judged(
  build: string,
  damage: string,
  { truth, pairs, lines, onlyTop = false }: Evidence,
): Promise<Case[]> {
  const findings = await findingsOf(pairs)
  const none = new Map<string, Line[]>()
  return pairs.map(({ file, role }) => {
    const counts = changedLines(truth.get(role) ?? none, lines.get(role) ?? none, onlyTop)
    return { build, damage, file, ...counts, findings: findings.get(file) ?? [] }
  })
}
