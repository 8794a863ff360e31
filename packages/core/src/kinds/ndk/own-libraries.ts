import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Whether the project builds a library or only packages it. Libraries in unfamiliar directories are `unknown`. */
export type Origin = 'own' | 'packaged' | 'unknown'

/** Matches the linker output of CMake and ndk-build, regardless of whether Gradle, hvigor or the user runs them. */
const NATIVE_BUILD = /\/(?:intermediates\/(?:cxx|cmake|ndkBuild|ninja)|\.cxx|\.externalNativeBuild|obj)\//
/** Matches directories in which Gradle and hvigor collect the libraries of an app, including those from dependencies. */
const PACKAGED =
  /\/(?:merged_native_libs|merged_jni_libs|stripped_native_libs|library_and_local_jars_jni|mergeJniLibs|jniLibs|exploded-aar|intermediates\/libs)\//
const OUTPUTS = ['cxx', 'cmake', 'ndkBuild', 'ninja'].map((name) => join('build/intermediates', name))
const DESCRIPTIONS = new Set(['android_gradle_build.json', 'android_gradle_build_mini.json'])
const MAX_DESCRIPTION = 16 * 1024 * 1024
/** The maximum depth of a module below the root project, and of a library below the output of its module. */
const MODULE_DEPTH = 3
const OUTPUT_DEPTH = 6
const MAX_DIRECTORIES = 20_000

/**
 * Distinguishes libraries that a project builds from those that it only packages, based on the output of CMake and ndk-build. The
 * directories of a project are read only once.
 */
export function originsOf(): (library: string) => Origin {
  const projects = new Map<string, Set<string>>()
  return (library) => {
    const path = library.replaceAll('\\', '/')
    const root = projectOf(path)
    if (root === undefined) return NATIVE_BUILD.test(path) ? 'own' : PACKAGED.test(path) ? 'packaged' : 'unknown'
    const built = projects.get(root) ?? builtIn(root)
    projects.set(root, built)
    if (built.has(placeOf(path))) return 'own'
    // CMake's output directory also contains copies of linked libraries, which the project did not build.
    if (NATIVE_BUILD.test(path)) return built.size > 0 ? 'packaged' : 'own'
    return PACKAGED.test(path) ? 'packaged' : 'unknown'
  }
}

/** Returns a path such as `arm64-v8a/libshop.so`, which identifies a library within its project. */
function placeOf(path: string): string {
  return `${basename(dirname(path))}/${basename(path)}`
}

/** Returns the root project of the module whose `build` or `.cxx` directory contains the path. */
function projectOf(path: string): string | undefined {
  const module = /^(.*?)\/(?:build\/(?:.*\/)?intermediates|\.cxx)\//.exec(path)?.[1]
  if (module === undefined) return undefined
  const isRoot = (directory: string) =>
    ['settings.gradle', 'settings.gradle.kts', 'build-profile.json5'].some((name) => existsSync(join(directory, name)))
  let root = module
  for (let up = module, level = 0; level < MODULE_DEPTH; level++) {
    if (isRoot(up)) root = up
    up = dirname(up)
  }
  return root
}

/** Returns the libraries that the native builds of a project created, in the form `<abi>/<name>`. */
function builtIn(root: string): Set<string> {
  const described = new Set<string>()
  const written = new Set<string>()
  const budget = { left: MAX_DIRECTORIES }
  for (const module of modulesBelow(root, budget)) {
    for (const file of filesBelow(join(module, '.cxx'), OUTPUT_DEPTH, budget))
      if (DESCRIPTIONS.has(basename(file))) for (const output of outputsIn(file)) described.add(placeOf(output))
    for (const outputs of OUTPUTS)
      for (const file of filesBelow(join(module, outputs), OUTPUT_DEPTH, budget))
        if (file.endsWith('.so')) written.add(placeOf(file))
  }
  return described.size > 0 ? described : written
}

function* modulesBelow(root: string, budget: { left: number }, depth = 0): Generator<string> {
  yield root
  if (depth === MODULE_DEPTH || budget.left-- <= 0) return
  for (const entry of entriesOf(root))
    if (entry.isDirectory() && !/^(?:\..*|build|node_modules|src|oh_modules)$/.test(entry.name))
      yield* modulesBelow(join(root, entry.name), budget, depth + 1)
}

function* filesBelow(directory: string, depth: number, budget: { left: number }): Generator<string> {
  if (budget.left-- <= 0) return
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name)
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && depth > 0 && entry.name !== 'CMakeFiles') yield* filesBelow(path, depth - 1, budget)
  }
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Reads the Android plugin's description of a native build: `{"libraries": {"shop::Release-arm64-v8a": {"output": "/…/libshop.so"}}}`. */
function outputsIn(description: string): string[] {
  try {
    const text = readFileSync(description, 'utf8')
    if (text.length > MAX_DESCRIPTION) return []
    const { libraries } = JSON.parse(text) as { libraries?: Record<string, { output?: unknown }> }
    return Object.values(libraries ?? {})
      .map((library) => library?.output)
      .filter((output): output is string => typeof output === 'string' && output.endsWith('.so'))
      .map((output) => output.replaceAll('\\', '/'))
  } catch {
    return []
  }
}
