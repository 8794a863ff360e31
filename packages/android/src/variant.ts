import { readdirSync } from 'node:fs'
/**
 * Returns the variant from a path such as `outputs/mapping/freeRelease/mapping.txt` or `outputs/bundle/freeRelease/app-free-release.aab`.
 * Versions of the Android plugin before 3.3 wrote `outputs/mapping/free/release/mapping.txt`.
 */
export function variantOfMappingPath(path: string): string | undefined {
  const bundle = BUNDLE.exec(path.replaceAll('\\', '/'))
  if (bundle) return bundle[1]
  const directories = /(?:^|\/)outputs\/mapping\/((?:r8\/)?[\w-]+(?:\/[\w-]+)?)\/[^/]+$/.exec(
    path.replaceAll('\\', '/'),
  )
  return directories ? camelCase((directories[1] as string).replace(/^r8\//, '').split('/')) : undefined
}

const BUNDLE = /(?:^|\/)outputs\/bundle\/([\w-]+)\/[^/]+\.aab$/

/** Matches Gradle directories that contain native libraries in one subdirectory per variant. */
const VARIANT_DIRECTORY =
  /\/(?:merged_native_libs|merged_jni_libs|stripped_native_libs|native_symbol_tables|native_debug_metadata|cmake|ndkBuild|outputs\/native-debug-symbols|outputs\/bundle)\/([\w-]*)(?:\/|$)/

/**
 * Returns the variant from a path such as `intermediates/merged_native_libs/freeRelease/…`. If the path is the parent of several variant
 * directories, all of these variants are returned.
 */
export function variantsOfLibraries(path: string): string[] {
  const below = VARIANT_DIRECTORY.exec(`${path.replaceAll('\\', '/')}/`)
  if (below === null) return []
  const names = below[1] === '' ? directoriesIn(path) : [below[1] as string]
  // Skip directories for ABIs and for CMake build types, such as `RelWithDebInfo`.
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
