import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { build, keyOf, type Output, type Pair } from './builds.ts'
import { DAMAGES } from './damages.ts'
import type { ProbingBrowser, Thrown } from './page.ts'

/** The files of a build, unmodified or damaged, and the errors that they threw. */
export interface Trial {
  /** Undefined for an unmodified build. */
  damage?: string
  pairs: Pair[]
  thrown: Thrown[]
  /** Index of the trial with the ground truth. For an unmodified build, its own index. */
  base: number
  /** The scripts differ, and a call may have been inlined, so only the top frame is compared. */
  onlyTop: boolean
}

/** Faults of careless plugins, implemented in `builds/transforms.mjs`. Each build gets two of them in turn. */
const TRANSFORMS = [
  'empty map of a transform',
  'no map of a transform',
  'coarse preprocessor',
  'obfuscator as a plugin',
]
const RELEASES = { 'map of the build before': 'edited', 'map of another release': 'next' } as const

export interface Places {
  app: string
  cache: string
  browser: ProbingBrowser
}

/**
 * All trials of a build, from the cache if the same code created them.
 * @param index the build's number, which selects the plugins.
 */
export async function trialsOf(places: Places, name: string, index: number): Promise<Trial[]> {
  const file = trialsFile(places, name, index)
  if (existsSync(file)) return deserialize(readFileSync(file))
  const trials = await makeTrials(places, name, index)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.draft`, serialize(trials))
  renameSync(`${file}.draft`, file)
  return trials
}

/**
 * Path of a build's cached trials. The path changes with the inputs of the build and with the code that creates the trials.
 * @param index the build's number.
 */
export function trialsFile({ app, cache }: Omit<Places, 'browser'>, name: string, index: number): string {
  const code = readdirSync(import.meta.dirname)
    .filter((file) => /^(?:builds|damages|page|trials)\.ts$/.test(file))
    .map((file) => readFileSync(join(import.meta.dirname, file)))
  const hash = createHash('sha256').update(Buffer.concat(code)).digest('hex').slice(0, 8)
  const slug = name.replace(/\W+/g, '-')
  return join(cache, 'trials', hash, `${slug}-${keyOf(app, name)}-${index % 2}.bin`)
}

async function makeTrials(places: Places, name: string, index: number): Promise<Trial[]> {
  const clean = await build(places, name)
  const thrown = await throwAll(places, clean)
  const trials: Trial[] = [{ pairs: clean.pairs, thrown, base: 0, onlyTop: false }]

  for (const [damage, { apply, changesScripts = false }] of Object.entries(DAMAGES)) {
    const pairs = await apply(clean.pairs, { app: places.app, build: name })
    const again = changesScripts ? await throwAll(places, { ...clean, pairs }) : thrown
    trials.push({ damage, pairs, thrown: again, base: 0, onlyTop: changesScripts })
  }

  for (const [damage, release] of Object.entries(RELEASES)) {
    const later = await build(places, name, { release })
    const base = trials.length
    const thrownLater = await throwAll(places, later)
    trials.push({ pairs: later.pairs, thrown: thrownLater, base, onlyTop: false })
    const stale = later.pairs.flatMap((pair) => {
      const before = clean.pairs.find(({ role }) => role === pair.role)
      return before ? [{ ...pair, map: before.map }] : []
    })
    trials.push({ damage, pairs: stale, thrown: thrownLater, base, onlyTop: false })
  }

  const transforms = /^(?:parcel|farm)/.test(name) ? [] : TRANSFORMS.filter((_, at) => (at + index) % 2 === 0)
  if (name === 'vite 8, svelte') transforms.push('svelte-preprocess')
  for (const transform of transforms) {
    const output = await build(places, name, { transform })
    const again = await throwAll(places, output)
    trials.push({ damage: transform, pairs: output.pairs, thrown: again, base: 0, onlyTop: true })
  }
  return trials
}

function throwAll({ browser }: Places, { pairs, others }: Output): Promise<Thrown[]> {
  const scripts = pairs.map(({ file, script }) => [file, script] as const)
  return browser.throwAll(new Map([...scripts, ...others.map(({ file, text }) => [file, text] as const)]))
}
