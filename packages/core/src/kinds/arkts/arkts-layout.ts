import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/** The build mode, which determines the directory of the maps. */
export type ArkTsMode = 'release' | 'debug'

export interface ArkTsModule {
  name: string
  /** The absolute path of hvigor's output directory, which is `build` unless `ohos.buildDir` is set. */
  build: string
}

export interface ArkTsMapFile {
  path: string
  /** Maps from `symbol` and `cache` directories belong to the requested build mode. A `copy` may belong to the other mode. */
  origin: 'symbol' | 'cache' | 'copy'
}

export interface ArkTsOutput {
  module: string
  product: string
  target: string
  /** The existing maps, best match first. */
  maps: ArkTsMapFile[]
  nameCache?: string
  /** The directories that contain unstripped libraries, best match first. */
  libraries: string[]
}

const SKIPPED = new Set(['node_modules', 'oh_modules', '.hvigor', '.git', '.idea', 'src'])
const BUILD_PARTS = ['cache', 'intermediates', 'outputs']
/** Directories that Gradle creates in its build output. A project may contain an Android app in addition to the HarmonyOS app. */
const GRADLE_PARTS = [
  'intermediates/merged_native_libs',
  'intermediates/merged_manifests',
  'outputs/apk',
  'outputs/bundle',
  'outputs/aar',
]
const MODULE_DEPTH = 3

/**
 * Returns the module in a directory. If the directory is not a module, returns the modules up to three levels below it.
 * @param buildDirectory the name or path of the build directory. Default: `build`, or the directory that looks like hvigor's output.
 */
export function findArkTsModules(directory: string, buildDirectory?: string): ArkTsModule[] {
  const modules: ArkTsModule[] = []
  const visit = (at: string, depth: number) => {
    const build = buildOf(at, buildDirectory)
    if (build !== undefined) modules.push({ name: basename(at), build })
    if (build !== undefined || depth === 0) return
    for (const name of directoriesIn(at)) {
      if (!SKIPPED.has(name)) visit(join(at, name), depth - 1)
    }
  }
  visit(directory, MODULE_DEPTH)
  return modules
}

function buildOf(directory: string, name: string | undefined): string | undefined {
  const candidates =
    name === undefined ? ['build', ...directoriesIn(directory).filter((each) => !SKIPPED.has(each))] : [name]
  return candidates.map((each) => resolve(directory, each)).find((path) => productsIn(path).length > 0)
}

function productsIn(build: string): string[] {
  const has = (product: string) => (part: string) => isDirectory(join(build, product, part))
  return directoriesIn(build).filter((it) => BUILD_PARTS.some(has(it)) && !GRADLE_PARTS.some(has(it)))
}

/** Finds the output of a module for all products and targets, or only for the given ones. Test targets are excluded. */
export function findArkTsOutputs(
  { name, build }: ArkTsModule,
  mode: ArkTsMode,
  only: { product?: string; target?: string } = {},
): ArkTsOutput[] {
  const chosen = (wanted: string | undefined) => (each: string) => wanted === undefined || wanted === each
  return productsIn(build)
    .filter(chosen(only.product))
    .flatMap((product) =>
      targetsIn(join(build, product))
        .filter(chosen(only.target))
        .map((target) => outputOf(name, join(build, product), mode, product, target)),
    )
}

function targetsIn(product: string): string[] {
  const places = ['cache', 'outputs', 'intermediates/loader_out', 'intermediates/libs', 'intermediates/cmake']
  const targets = new Set(places.flatMap((place) => directoriesIn(join(product, place))))
  targets.delete('ohosTest')
  return [...targets].sort()
}

function outputOf(module: string, at: string, mode: ArkTsMode, product: string, target: string): ArkTsOutput {
  const symbols = join(at, 'outputs', target, 'symbol', mode)
  const collected = filesIn(symbols)
  // `CompileArkTS` is the task for HAP and HSP modules, and `HarCompileArkTS` is the task for HAR modules.
  const caches = ['CompileArkTS', 'HarCompileArkTS'].map((task) =>
    join(at, 'cache', target, `${target}@${task}`, 'esmodule', mode),
  )
  const compiled = mode === 'release' ? caches : [join(at, 'intermediates/loader_out', target, 'ets'), ...caches]
  const maps: ArkTsMapFile[] = [
    ...collected
      .filter((file) => file.endsWith('sourceMaps.map'))
      .map((file) => ({ path: join(symbols, file), origin: 'symbol' as const })),
    ...compiled.map((directory) => ({ path: join(directory, 'sourceMaps.map'), origin: 'cache' as const })),
    { path: join(at, 'outputs', target, 'mapping/sourceMaps.map'), origin: 'copy' },
  ]
  const nameCache = [
    ...collected.filter((file) => file.endsWith('nameCache.json')).map((file) => join(symbols, file)),
    ...caches.map((directory) => join(directory, 'obfuscation/nameCache.json')),
  ].find((path) => existsSync(path))
  const libraries = [symbols, join(at, 'intermediates/libs', target), join(at, 'intermediates/cmake', target, 'obj')]
  return {
    module,
    product,
    target,
    maps: maps.filter(({ path }) => existsSync(path)),
    ...(nameCache !== undefined && { nameCache }),
    libraries: libraries.filter(isDirectory),
  }
}

function directoriesIn(directory: string): string[] {
  return entriesIn(directory).filter((name) => isDirectory(join(directory, name)))
}

function filesIn(directory: string): string[] {
  return entriesIn(directory).filter((name) => !isDirectory(join(directory, name)))
}

function entriesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort()
  } catch {
    return []
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
