import { readdirSync } from 'node:fs'
import type { Fields, GradleBuild, Value } from './gradle-build.ts'

/** What one variant of an application is called and says of itself. */
export interface Variant {
  /** As Gradle names it: `freeRelease`. */
  name: string
  applicationId?: Value
  versionName?: Value
  versionCode?: Value
}

/** A build with more dimensions than this has more variants than anyone names. */
const MAX_VARIANTS = 10_000

/** Every variant of a build: each combination of one flavor a dimension, with each build type. */
export function variantsOf({ defaultConfig, flavors, buildTypes }: GradleBuild): Variant[] {
  let combinations: { name: string; fields: Fields }[][] = [[]]
  for (const dimension of flavors) {
    combinations = combinations
      .flatMap((chosen) => dimension.map((flavor) => [...chosen, flavor]))
      .slice(0, MAX_VARIANTS)
  }
  return combinations.flatMap((chosen) =>
    [...buildTypes].map(([buildType, typeFields]) => {
      const layers = [...chosen.map(({ fields }) => fields), defaultConfig]
      const suffixes = [defaultConfig, ...chosen.map(({ fields }) => fields), typeFields]
      return {
        name: camelCase([...chosen.map(({ name }) => name), buildType]),
        ...present('applicationId', joined(firstOf(layers, 'applicationId'), suffixes, 'applicationIdSuffix', '.')),
        ...present('versionName', joined(firstOf(layers, 'versionName'), suffixes, 'versionNameSuffix', '')),
        ...present('versionCode', firstOf(layers, 'versionCode')),
      }
    }),
  )
}

/** `outputs/mapping/freeRelease/mapping.txt`, `outputs/bundle/freeRelease/app-free-release.aab`, and `outputs/mapping/free/release/mapping.txt` of the Android plugin before 3.3. */
export function variantOfMappingPath(path: string): string | undefined {
  const bundle = BUNDLE.exec(path.replaceAll('\\', '/'))
  if (bundle) return bundle[1]
  const directories = /(?:^|\/)outputs\/mapping\/((?:r8\/)?[\w-]+(?:\/[\w-]+)?)\/[^/]+$/.exec(
    path.replaceAll('\\', '/'),
  )
  return directories ? camelCase((directories[1] as string).replace(/^r8\//, '').split('/')) : undefined
}

const BUNDLE = /(?:^|\/)outputs\/bundle\/([\w-]+)\/[^/]+\.aab$/

/** Directories of a Gradle build that have one directory for each variant below them, which hold native libraries. */
const VARIANT_DIRECTORY =
  /\/(?:merged_native_libs|merged_jni_libs|stripped_native_libs|native_symbol_tables|native_debug_metadata|cmake|ndkBuild|outputs\/native-debug-symbols|outputs\/bundle)\/([\w-]*)(?:\/|$)/

/**
 * `intermediates/merged_native_libs/freeRelease/…`, and what else of a Gradle build's directories is named after a variant; of the directory
 * above them every variant that is there.
 */
export function variantsOfLibraries(path: string): string[] {
  const below = VARIANT_DIRECTORY.exec(`${path.replaceAll('\\', '/')}/`)
  if (below === null) return []
  const names = below[1] === '' ? directoriesIn(path) : [below[1] as string]
  // Below `cmake` of a build of its own there may be anything: an ABI, or CMake's build type.
  return names.filter((name) => /^[a-z]/.test(name) && !/^(?:arm.*|x86.*|mips.*|riscv.*|lib|out|obj)$/.test(name))
}

function directoriesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((it) => (it.isDirectory() ? it.name : []))
  } catch {
    return []
  }
}

function camelCase(names: string[]): string {
  return names.map((name, index) => (index === 0 ? name : name.slice(0, 1).toUpperCase() + name.slice(1))).join('')
}

function firstOf(layers: Fields[], name: keyof Fields): Value | undefined {
  return layers.map((fields) => fields[name]).find((value) => value !== undefined)
}

function joined(base: Value | undefined, layers: Fields[], suffix: keyof Fields, separator: string): Value | undefined {
  if (base === undefined) return undefined
  const parts = [base, ...layers.flatMap((fields) => fields[suffix] ?? [])]
  if (parts.some((part) => 'expression' in part)) {
    return { expression: parts.map((part) => ('literal' in part ? `"${part.literal}"` : part.expression)).join(' + ') }
  }
  const [first = '', ...rest] = parts.map((part) => ('literal' in part ? part.literal : ''))
  return { literal: rest.reduce((text, part) => text + (part.startsWith(separator) ? '' : separator) + part, first) }
}

function present<K extends string>(name: K, value: Value | undefined): Partial<Record<K, Value>> {
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<K, Value>>
}
