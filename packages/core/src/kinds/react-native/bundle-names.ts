import { fileNameOf, urlPath } from '../../files/url-path.ts'

export const REACT_NATIVE_PLATFORMS = ['android', 'ios', 'harmony'] as const
export type ReactNativePlatform = (typeof REACT_NATIVE_PLATFORMS)[number]

/** The bundle names that each platform's build scripts use. The same names appear in stacks. */
export const BUNDLE_NAMES: Readonly<Record<ReactNativePlatform, string>> = {
  android: 'index.android.bundle',
  ios: 'main.jsbundle',
  harmony: 'bundle.harmony.js',
}

/**
 * Matches the names of bundles. `.bundlejs` is the extension for Pushy updates, and `.hbc` is Hermes bytecode. Lynx bundles have a
 * different format.
 */
const BUNDLE = /(?<!\.lynx)\.(?:(?:js)?bundle|bundlejs|hbc)$|(?:^|\/)bundle\.harmony\.js$/
/** Matches the output of `expo export` for a platform. The file name contains a hash. */
const EXPORTED = /(?:^|\/)_expo\/static\/js\/(android|ios)\/[^/]+\.(?:hbc|js)$/

export function isReactNativeBundle(file: string): boolean {
  return BUNDLE.test(file) || EXPORTED.test(file)
}

/**
 * Returns the name that a bundle has in stacks, which is its file name. The output of `expo export` has the platform's standard name in
 * stacks, because the file name is not available on devices.
 * @param path a path with `/` as the separator.
 */
export function bundleNameOf(path: string): string {
  const platform = EXPORTED.exec(path)?.[1] as 'android' | 'ios' | undefined
  return platform === undefined ? fileNameOf(path) : BUNDLE_NAMES[platform]
}

/** Stacks contain only the file name of the bundle, not its path on the device. */
export function addressOfBundle(name: string): string {
  return `app:///${fileNameOf(urlPath(name))}`
}

/**
 * Finds the map of a bundle in other directories. Returns undefined if several maps match. Gradle writes maps to a directory that is named
 * after the variant.
 * @param files paths with `/` as the separator.
 */
export function mapApart(bundle: string, files: readonly string[]): string | undefined {
  const name = `${fileNameOf(bundle)}.map`
  const maps = files.filter((file) => fileNameOf(file) === name)
  if (maps.includes(`${bundle}.map`)) return undefined
  // Ignore maps that are next to another bundle, because they belong to that bundle.
  const present = new Set(files)
  const own = maps.filter((map) => !present.has(map.slice(0, -'.map'.length)))
  if (own.length < 2) return own[0]
  const isOfVariant = (map: string) => {
    const variant = map.split('/').at(-2)
    return variant !== undefined && bundle.toLowerCase().includes(variant.toLowerCase())
  }
  const ofVariant = own.filter(isOfVariant)
  return ofVariant.length === 1 ? ofVariant[0] : undefined
}

/**
 * Determines the platform from the name of a bundle or, for output of `expo export`, from its directory.
 * @param path a path with `/` as the separator.
 */
export function platformOfBundle(path: string): ReactNativePlatform | undefined {
  const name = bundleNameOf(path)
  if (/\bandroid\b/.test(name)) return 'android'
  if (/\bharmony\b|^hermes_bundle\.hbc$/.test(name)) return 'harmony'
  return /\bios\b|\.jsbundle$/.test(name) ? 'ios' : undefined
}
