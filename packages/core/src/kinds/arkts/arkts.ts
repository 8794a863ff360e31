import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readRegular } from '../../files/open-regular.ts'
import { Roots } from '../../files/roots.ts'
import { shownPath } from '../../files/shown-path.ts'
import { listFiles } from '../../files/walk.ts'
import type { FilePart, Plan } from '../../model/plan.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { unreadable } from '../../problems/unreadable.ts'
import { t } from '../../text.ts'
import { asInBundle, unpackBundle } from '../android-bundle.ts'
import { collectHarmonyLibraries } from '../harmony-native/harmony-native.ts'
import { type PlaceInput, type ReleaseInput, releaseFields } from '../kind.ts'
import { fileOutside } from '../list-within.ts'
import {
  type ArkTsMapFile,
  type ArkTsMode,
  type ArkTsOutput,
  findArkTsModules,
  findArkTsOutputs,
} from './arkts-layout.ts'
import { readArkTsMap } from './arkts-map.ts'
import type { HarmonySourceMapEvent } from './event.ts'
import { nameCacheBeside, nameCachePart } from './name-cache.ts'

export interface ArkTsInput extends ReleaseInput, PlaceInput {
  /** Absolute paths of module or project directories, `sourceMaps.map` files, `.so` files or `app-symbol.zip` archives. */
  paths: readonly string[]
  /** @default 'release' */
  mode?: ArkTsMode
  /**
   * Limits the upload to one product and target.
   * @default everything that was built
   */
  product?: string
  target?: string
  /**
   * The name of the build directory if `ohos.buildDir` is set.
   * @default `build`, or the directory that looks like hvigor's output
   */
  buildDirectory?: string
  /**
   * The directory for unpacked archives, which must exist until the upload is complete. If `temporaryDirectory` is omitted, archives are
   * rejected.
   */
  temporaryDirectory?: string
}

type Shown = (path: string) => string

/**
 * Plans the upload of a HarmonyOS build. The plan contains the ArkTS map and the name cache of each module for the requested mode, and one
 * copy of each unstripped library.
 */
export async function collectArkTs(input: ArkTsInput): Promise<Plan> {
  const cwd = input.cwd ?? process.cwd()
  const unpacked = new Map<string, string>()
  const shown: Shown = (path) => shownPath(path, cwd)
  const plan: Plan = { uploads: [], problems: [] }
  const libraries: string[] = []
  const trusted = [input.allowedRoot ?? []].flat()
  for (const path of input.paths) {
    if (path.endsWith('.so')) libraries.push(path)
    else if (path.endsWith('.zip') && input.temporaryDirectory !== undefined) {
      const directory = join(input.temporaryDirectory, String(unpacked.size))
      const flaw = await unpackBundle(path, directory, 'all', shown(path))
      if (flaw) {
        plan.problems.push(flaw)
        continue
      }
      unpacked.set(directory, resolve(cwd, path))
      libraries.push(...(await collectUnpacked(directory, input, shown, plan)))
    } else if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      // `ohos.buildDir` can point to any directory.
      const roots = [path, ...[input.buildDirectory ?? []].flat().map((build) => resolve(path, build))]
      libraries.push(...(await collectDirectory(path, new Roots([...roots, input.allowedRoot]), input, shown, plan)))
      trusted.push(...roots)
    } else await planMap(path, nameCacheBeside(path), input, shown, plan)
  }
  if (libraries.length > 0) {
    const native = await collectHarmonyLibraries({ ...input, paths: libraries, cwd, allowedRoot: trusted })
    plan.uploads.push(...native.uploads)
    plan.problems.push(...native.problems)
  }
  return [...unpacked].reduce((all, [directory, archive]) => asInBundle(all, directory, archive, cwd), plan)
}

/**
 * Plans the upload of the maps in an unpacked `app-symbol.zip`.
 * @returns the directories that contain libraries.
 */
async function collectUnpacked(directory: string, input: ArkTsInput, shown: Shown, plan: Plan): Promise<string[]> {
  const files = await listFiles(directory).catch(() => [])
  const maps = files.filter((file) => file.endsWith('sourceMaps.map')).map((file) => join(directory, file))
  for (const map of maps) await planMap(map, nameCacheBeside(map), input, shown, plan)
  if (files.length > 0 && maps.length === 0) {
    plan.problems.push(
      problem('arkts-map-missing', t`The directory contains no sourceMaps.map.`, { file: shown(directory) }),
    )
  }
  return files.filter((file) => file.endsWith('.so')).map((file) => join(directory, file))
}

/**
 * Plans the upload of all module maps in a directory.
 * @returns the directories that contain the modules' libraries.
 */
async function collectDirectory(
  directory: string,
  roots: Roots,
  input: ArkTsInput,
  shown: Shown,
  plan: Plan,
): Promise<string[]> {
  const mode = input.mode ?? 'release'
  const modules = findArkTsModules(directory, input.buildDirectory).map((module) => ({
    module,
    outputs: findArkTsOutputs(module, mode, input)
      .map((output) => confined(output, roots, shown, plan.problems))
      .filter(({ maps, libraries }) => maps.length > 0 || libraries.length > 0)
      .map((output) => ({ ...output, map: chooseMap(output, shown, plan.problems) })),
  }))
  const differing: Problem[] = []
  for (const { module, outputs } of modules) {
    const found = await differingMaps(outputs, shown(module.build))
    if (found) differing.push(found)
  }
  plan.problems.push(...differing)
  if (differing.some(({ severity }) => severity === 'error')) return []
  const outputs = modules.flatMap((it) => it.outputs)
  for (const output of outputs) {
    const { map } = output
    if (map === undefined) continue
    await planMap(map.path, output.nameCache, input, shown, plan)
    if (mode === 'release' && output.nameCache === undefined) {
      const message = t`No nameCache.json was found for the module ${output.module}. If the module is obfuscated, names in its stacks stay obfuscated.`
      plan.problems.push(problem('name-cache-missing', message, { file: shown(map.path) }))
    }
  }
  if (outputs.every(({ maps }) => maps.length === 0)) {
    plan.problems.push(problem('arkts-map-missing', t`No ${mode} build was found.`, { file: shown(directory) || '.' }))
  }
  return outputs.flatMap(({ libraries }) => libraries)
}

/** Returns the build output without links that point outside the allowed directories. */
function confined(output: ArkTsOutput, roots: Roots, shown: Shown, problems: Problem[]): ArkTsOutput {
  const holds = (path: string) => {
    const isHeld = roots.hold(path)
    if (!isHeld) problems.push(fileOutside(shown(path)))
    return isHeld
  }
  const { nameCache, ...others } = output
  return {
    ...others,
    maps: output.maps.filter(({ path }) => holds(path)),
    libraries: output.libraries.filter(holds),
    ...(nameCache !== undefined && holds(nameCache) && { nameCache }),
  }
}

/**
 * Chooses the newer of two maps for the requested mode. A copy of a map may be for the other mode, so it is used only if no other map
 * exists.
 */
function chooseMap({ maps, module }: ArkTsOutput, shown: Shown, problems: Problem[]): ArkTsMapFile | undefined {
  const own = maps.filter(({ origin }) => origin !== 'copy')
  if (own.length === 0) {
    const [copy] = maps
    if (copy === undefined) return undefined
    const message = t`The only source map of the module ${module} may be from an earlier build in a different mode.`
    problems.push(problem('arkts-map-stale', message, { file: shown(copy.path) }))
    return copy
  }
  const newest = own.reduce((best, map) => (isNewer(map, best) && !isSame(map, best) ? map : best))
  for (const other of maps) {
    if (other === newest || isSame(other, newest)) continue
    const message = t`This source map differs from the newer ${shown(newest.path)}, which symup uploads instead.`
    problems.push(problem('arkts-map-stale', message, { file: shown(other.path) }))
  }
  return newest
}

/**
 * Reports different maps for the same module. If only the targets differ, the severity is `warning`, because one app may contain several
 * targets.
 */
async function differingMaps(outputs: readonly (ArkTsOutput & { map?: ArkTsMapFile | undefined })[], file: string) {
  const [first, ...others] = outputs.flatMap(({ map }) => map ?? [])
  if (!first || others.every((map) => isSame(map, first))) return undefined
  const known = new Map<string, { text: string; of: ArkTsOutput }>()
  let found: Problem | undefined
  for (const output of outputs) {
    for (const [key, text] of output.map ? await mapsIn(output.map.path) : []) {
      const { text: other, of } = known.get(key) ?? { text, of: output }
      known.set(key, { text: other, of })
      if (text === other) continue
      const { module, product, target } = output
      if (product !== of.product) {
        const message = t`The source maps of the module ${module} differ between the products ${of.product} and ${product}.`
        return problem('arkts-maps-differ', message, { file })
      }
      const message = t`The source maps of the module ${module} differ between the targets ${of.target} and ${target}.`
      found ??= problem('arkts-maps-differ', message, { file, severity: 'warning' })
    }
  }
  return found
}

/** Returns each map in a file as a string. The list is empty if the file cannot be read. */
async function mapsIn(path: string): Promise<[key: string, text: string][]> {
  try {
    if ('flaw' in (await readArkTsMap({ path, bytes: statSync(path).size }))) return []
    const maps: object = JSON.parse(
      readRegular(path)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    )
    return Object.entries(maps).map(([key, map]) => [key, JSON.stringify(map)])
  } catch {
    return []
  }
}

function isNewer(a: ArkTsMapFile, b: ArkTsMapFile): boolean {
  return statSync(a.path).mtimeMs > statSync(b.path).mtimeMs
}

/** Unreadable files are treated as different. */
function isSame(a: ArkTsMapFile, b: ArkTsMapFile): boolean {
  try {
    return statSync(a.path).size === statSync(b.path).size && readRegular(a.path).equals(readRegular(b.path))
  } catch {
    return false
  }
}

async function planMap(
  path: string,
  nameCache: string | undefined,
  input: ArkTsInput,
  shown: Shown,
  plan: Plan,
): Promise<void> {
  const file = shown(path)
  let bytes: number
  let member: string
  try {
    bytes = statSync(path).size
    if (bytes === 0) {
      plan.problems.push(problem('file-empty', t`The source map is empty.`, { file }))
      return
    }
    const map = await readArkTsMap({ path, bytes })
    if ('flaw' in map) {
      plan.problems.push(problem('arkts-map-invalid', map.flaw, { file }))
      return
    }
    member = map.modules.join()
  } catch (error) {
    plan.problems.push(unreadable('file-unreadable', error, { file }))
    return
  }
  const event: HarmonySourceMapEvent = { type: 'harmony_sourcemap', ...releaseFields(input) }
  const parts: FilePart[] = [
    { name: 'source_map', filename: 'sourceMaps.map', path, bytes, contentType: 'application/json' },
  ]
  if (nameCache !== undefined) {
    const part = await nameCachePart(nameCache, shown(nameCache), plan.problems)
    if (part === undefined) return
    // The map must be the last part, because messages identify the upload by its last part.
    if (part.bytes > 0) parts.unshift(part)
  }
  plan.uploads.push({ event, parts, member })
}
