import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { nameBelow, type Problem, problem, SymupError } from '@symup/core'
import { t, useLocale } from '@symup/core/text'
import { BuildSession } from '../build-session.ts'
import { refusal, watching } from '../bundlers/messages.ts'
import { prefixFrom } from '../bundlers/public-path.ts'
import { decideMaps, type MapSetting } from '../maps.ts'
import type { SymupOptions } from '../options.ts'
import { type BundleOutput, outputOf } from '../output.ts'
import { tellWithoutDebugIds } from '../plugin.ts'
import type { BuildPrefix } from '../prefix.ts'
import { serverOf } from '../server.ts'

/** A file name that Parcel inserted into a script. */
interface Replaced {
  by: string
  /** The length of the placeholder that the map's columns are based on. */
  length: number
}

/** Marks a map as adjusted, because the next build may read the map again. */
const MARK = 'x_symup_moved'

/**
 * Adjusts a map to the final script. When Parcel generates the map, names of other files are still placeholders, which are longer than the
 * hashes that replace them. Without the adjustment, code after a replaced name would resolve to a position too far to the right.
 * @param map the map as JSON.
 * @returns undefined if no change is needed.
 */
export function movedMap(map: string, script: string, replaced: readonly Replaced[]): string | undefined {
  const lengths = new Map(replaced.map(({ by, length }) => [by, length]))
  if (lengths.size === 0) return undefined
  const names = new RegExp([...lengths.keys()].map((name) => name.replace(/\W/g, '\\$&')).join('|'), 'g')
  const places = script.split('\n').map((line) => placesOf(line, names, lengths))
  if (places.every((line) => line.length === 0)) return undefined
  const parsed = parse(map)
  if (typeof parsed?.mappings !== 'string' || parsed[MARK]) return undefined
  const lines = decode(parsed.mappings)
  for (const [at, found] of places.entries())
    for (const segment of lines[at] ?? []) segment[0] = columnAfter(segment[0], found)
  return JSON.stringify({ ...parsed, mappings: encode(lines), [MARK]: true })
}

/** Returns null for unreadable maps, which are reported when the artifacts are collected. */
function parse(map: string): Record<string, unknown> | null {
  try {
    return JSON.parse(map)
  } catch {
    return null
  }
}

interface Place {
  start: number
  end: number
  shorter: number
}

function placesOf(line: string, names: RegExp, lengths: ReadonlyMap<string, number>): Place[] {
  let shorter = 0
  return [...line.matchAll(names)].map(({ 0: name, index }) => {
    const length = lengths.get(name) as number
    const start = index + shorter
    shorter += length - name.length
    return { start, end: start + length, shorter: length - name.length }
  })
}

function columnAfter(column: number, places: readonly Place[]): number {
  let moved = column
  for (const { start, end, shorter } of places) {
    if (column >= end) moved -= shorter
    else if (column > start) moved -= Math.min(shorter, column - start)
  }
  return moved
}

interface Report {
  event: { type: string; bundleGraph?: { getBundles(): ParcelBundle[] } }
  options: {
    mode: string
    /** Differs between the `Parcel` instances in a process. */
    instanceId: string
    logLevel: string
    /** Undefined in versions of Parcel that continue the build even if a reporter throws an error. */
    parcelVersion?: string
  }
}

interface ParcelBundle {
  type: string
  /** The file name. Contains {@link hashReference} if the name will contain a hash. */
  name: string
  hashReference: string
  /** The absolute path of the file. Not set for a bundle that is inlined into another bundle. */
  filePath?: string | null
  /** All files of the bundle, including its map and compressed copies. Available in Parcel 2.13 or later. */
  files?: readonly { filePath: string }[]
  env: { context: string; sourceMap?: { inline?: boolean } | null }
  target: { distDir: string; publicUrl: string }
}

const MAP = /\.map(?:\.gz|\.br|\.zst)?$/
const SERVERS: ReadonlySet<string> = new Set(['node', 'react-server'])
const ON = 'sourceMap: true'

const watched = new Set<string>()

/**
 * Handles an event for `@symup/parcel-reporter` by uploading a production build once it is written. Parcel does not pass options to
 * plugins, so symup reads them from the `symup` field of the package.json in the working directory.
 * @throws SymupError if the problems fail the build.
 */
export async function symupParcel({ event, options: parcel }: Report): Promise<void> {
  if (event.type !== 'watchStart' && event.type !== 'buildSuccess') return
  useLocale()
  try {
    const options = optionsIn(process.cwd())
    if (options.enabled === false) return
    const build = new BuildSession(options, 'parcel', () => parcel.logLevel)
    if (event.type === 'watchStart') {
      watched.add(parcel.instanceId)
      build.log(watching())
    } else if (watched.has(parcel.instanceId)) return
    else if (parcel.mode !== 'production')
      build.log({ severity: 'info', text: t`Nothing is uploaded in development mode.` })
    else await upload(event.bundleGraph?.getBundles() ?? [], build)
  } catch (error) {
    if (error instanceof SymupError) failBuild(error, parcel)
    throw error
  }
}

/** Fails the build with an error without a stack. Parcel prints the stack below the message, and the stack would repeat the message. */
function failBuild(error: SymupError, { parcelVersion }: Report['options']): void {
  error.stack = ''
  if (parcelVersion !== undefined) return
  process.once('exit', () => {
    process.exitCode ||= 1
  })
}

/** @throws SymupError if the `symup` field does not contain valid options. */
function optionsIn(root: string): SymupOptions {
  const path = join(root, 'package.json')
  if (!existsSync(path)) return {}
  let options: unknown
  try {
    options = JSON.parse(readFileSync(path, 'utf8')).symup ?? {}
  } catch {
    // Parcel also reads the file and reports the error itself.
  }
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return options
  const message =
    options === undefined ? t`The file is not valid JSON.` : t`The field "symup" in package.json must be an object.`
  throw refusal(problem('config-file-invalid', message, { file: 'package.json' }))
}

async function upload(bundles: readonly ParcelBundle[], build: BuildSession): Promise<void> {
  const root = process.cwd()
  const { options } = build
  const written = bundles.filter(({ filePath }) => filePath)
  const isTaken = (bundle: ParcelBundle) => !isServer(bundle) || serverOf(options) !== undefined
  const taken = written.filter(isTaken)
  const skipped = t`Server output is not uploaded. To also upload server code, set server: true.`
  if (taken.length < written.length) build.log({ severity: 'info', text: skipped })
  if (taken.length === 0 && written.length > 0) return
  tellWithoutDebugIds('Parcel', options)
  const { outputs, problems } = outputsOf(taken, options, root)
  build.open({ root, prefix: prefixOf(taken, root) }, problems)
  moveMaps(taken, written)
  if (options.injectRelease) changePages(taken, (html) => build.page(html))
  const maps = outputs.flatMap(({ directory, deletable }) => [...deletable].map((file) => join(directory, file)))
  const present = maps.filter(existsSync)
  await build.finish({ outputs }).finally(() => standInFor(present.filter((path) => !existsSync(path))))
}

/** Pages with a compressed copy stay unchanged, because the copy would no longer match. */
function changePages(bundles: readonly ParcelBundle[], page: (html: string) => string): void {
  for (const bundle of bundles) {
    if (bundle.type !== 'html' || filesOf(bundle).length > 1) continue
    const path = bundle.filePath as string
    writeFileSync(path, page(readFileSync(path, 'utf8')))
  }
}

/** Adjusts the maps of scripts in which Parcel has replaced placeholders with the hashes of other files. */
function moveMaps(bundles: readonly ParcelBundle[], all: readonly ParcelBundle[]): void {
  const replaced = all.flatMap(({ name, hashReference, filePath, target }) => {
    const [before = '', after] = name.split(hashReference)
    const file = nameBelow(target.distDir, filePath as string)
    return after === undefined
      ? []
      : { by: file.slice(before.length, file.length - after.length), length: hashReference.length }
  })
  for (const { type, filePath } of bundles) {
    const map = `${filePath}.map`
    if (type !== 'js' || !existsSync(map)) continue
    const moved = movedMap(readFileSync(map, 'utf8'), readFileSync(filePath as string, 'utf8'), replaced)
    if (moved !== undefined) writeFileSync(map, moved)
  }
}

/**
 * Replaces each deleted map with an empty file until the process ends. Otherwise, the next build would reuse unchanged files from Parcel's
 * cache and would have no maps. Parcel rewrites a script and its map if either was deleted after the build, but not if it was deleted
 * during the build.
 */
function standInFor(maps: readonly string[]): void {
  for (const path of maps) writeFileSync(path, '', { flag: 'wx' })
  process.once('exit', () => {
    for (const path of maps) if (statSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path)
  })
}

function isServer({ env }: ParcelBundle): boolean {
  return SERVERS.has(env.context)
}

/** Returns one output per deployed directory. Several targets may share a directory. */
function outputsOf(
  bundles: readonly ParcelBundle[],
  { deleteAfterUpload }: SymupOptions,
  root: string,
): { outputs: BundleOutput[]; problems: Problem[] } {
  const outputs = new Map<string, BundleOutput>()
  const problems = new Map<string, Problem>()
  for (const bundle of bundles) {
    const { type, env, target } = bundle
    const isForServer = isServer(bundle)
    const prefix = placeOf(bundle, root)
    const decision = decideMaps(settingOf(env), deleteAfterUpload, {
      now: env.sourceMap ? t`sourceMap is { inline: true }` : t`Parcel generates no source maps`,
      hidden: ON,
      on: t`Remove --no-source-maps and sourceMap: false.`,
    })
    // Keep a server's maps by default, because Node reads them at run time.
    const deletes = isForServer ? deleteAfterUpload === true : decision.deletes
    for (const found of type === 'js' && !isForServer ? decision.problems : []) problems.set(found.message, found)
    const key = [isForServer, target.distDir, target.publicUrl].join('\n')
    const own = prefix !== undefined && 'value' in prefix && { prefix: prefix.value }
    const runsOn = isForServer ? 'server' : 'browser'
    const output = outputs.get(key) ?? outputOf(target.distDir, [], { target: runsOn, ...own })
    outputs.set(key, output)
    for (const file of filesOf(bundle)) {
      output.files.add(file)
      if (deletes && MAP.test(file)) output.deletable.add(file)
    }
    const script = nameBelow(target.distDir, bundle.filePath as string)
    if (output.files.has(`${script}.map`)) output.maps.set(script, `${script}.map`)
  }
  return { outputs: [...outputs.values()], problems: [...problems.values()] }
}

/** Parcel generates maps by default, so the presence of map files does not mean that the user requested them. */
function settingOf({ sourceMap }: ParcelBundle['env']): MapSetting {
  if (!sourceMap) return 'none'
  return sourceMap.inline ? 'inline' : 'unset'
}

function filesOf({ filePath, files = [], target }: ParcelBundle): string[] {
  const script = filePath as string
  const known = files.length > 0 ? files.map((file) => file.filePath) : [script, `${script}.map`].filter(existsSync)
  return known.map((path) => nameBelow(target.distDir, path))
}

/** Returns a bundle's deployment address. In an Electron app, the address is below the app's own directory. */
function placeOf({ env, target }: ParcelBundle, root: string): BuildPrefix | undefined {
  if (env.context.startsWith('electron-'))
    return prefixFrom(`app:///${nameBelow(root, target.distDir)}`, t`the Electron app's distDir`)
  return prefixFrom(target.publicUrl, t`Parcel's publicUrl`)
}

/** Returns the prefix of the browser targets, or the reason why one of their prefixes is unknown. */
function prefixOf(bundles: readonly ParcelBundle[], root: string): BuildPrefix | undefined {
  const browsers = bundles.filter((bundle) => !isServer(bundle))
  const places = (browsers.length > 0 ? browsers : bundles).map((bundle) => placeOf(bundle, root))
  return places.find((place) => place !== undefined && 'because' in place) ?? places[0]
}
