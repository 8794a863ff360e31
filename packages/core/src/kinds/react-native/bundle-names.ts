import { fileNameOf, urlPath } from '../../files/url-path.ts'

/** Platforms that React Native supports. */
export const REACT_NATIVE_PLATFORMS = ['android', 'ios', 'harmony'] as const
export type ReactNativePlatform = (typeof REACT_NATIVE_PLATFORMS)[number]

/** Bundle names used in each platform's build scripts. They also appear in stacks. */
export const BUNDLE_NAMES: Readonly<Record<ReactNativePlatform, string>> = {
  android: 'index.android.bundle',
  ios: 'main.jsbundle',
  harmony: 'bundle.harmony.js',
}

/** `.bundlejs` is the extension of Pushy updates; `.hbc` is Hermes bytecode. Lynx bundles have a different format. */
const BUNDLE = /(?<!\.lynx)\.(?:(?:js)?bundle|bundlejs|hbc)$|(?:^|\/)bundle\.harmony\.js$/
/** Output of `expo export` for a platform, with a hash in its name. */
const EXPORTED = /(?:^|\/)_expo\/static\/js\/(android|ios)\/[^/]+\.(?:hbc|js)$/

/** Whether a file is a bundle, judged by its `/`-separated path. */
export function isReactNativeBundle(file: string): boolean {
  return BUNDLE.test(file) || EXPORTED.test(file)
}

/**
 * A bundle's name in stacks: its file name. Output of `expo export` has a platform's standard name, because devices do
 * not know its file name. `/`-separated.
 */
export function bundleNameOf(path: string): string {
  const platform = EXPORTED.exec(path)?.[1] as 'android' | 'ios' | undefined
  return platform === undefined ? fileNameOf(path) : BUNDLE_NAMES[platform]
}

/** Stacks contain only the bundle's name, regardless of its path on the device. */
export function addressOfBundle(name: string): string {
  return `app:///${fileNameOf(urlPath(name))}`
}

/**
 * A bundle's map, if it is in another directory: Gradle writes maps to a directory named after the variant. Undefined if ambiguous.
 * @param files `/`-separated, like the bundle.
 */
export function mapApart(bundle: string, files: readonly string[]): string | undefined {
  const name = `${fileNameOf(bundle)}.map`
  const maps = files.filter((file) => fileNameOf(file) === name)
  if (maps.includes(`${bundle}.map`)) return undefined
  // A map next to another bundle belongs to that bundle.
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

/** The platform from a bundle's name, or from its directory in the output of `expo export`. `/`-separated. */
export function platformOfBundle(path: string): ReactNativePlatform | undefined {
  const name = bundleNameOf(path)
  if (/\bandroid\b/.test(name)) return 'android'
  if (/\bharmony\b|^hermes_bundle\.hbc$/.test(name)) return 'harmony'
  return /\bios\b|\.jsbundle$/.test(name) ? 'ios' : undefined
}
