import { fileNameOf, urlPath } from '../../files/url-path.ts'

/** What React Native runs on. */
export const REACT_NATIVE_PLATFORMS = ['android', 'ios', 'harmony'] as const
export type ReactNativePlatform = (typeof REACT_NATIVE_PLATFORMS)[number]

/** As the build scripts of each platform call the bundle, which is what stacks name. */
export const BUNDLE_NAMES: Readonly<Record<ReactNativePlatform, string>> = {
  android: 'index.android.bundle',
  ios: 'main.jsbundle',
  harmony: 'bundle.harmony.js',
}

/** `index.bundlejs` is what updates of Pushy are called, `.hbc` is Hermes bytecode. Those of Lynx are another format. */
const BUNDLE = /(?<!\.lynx)\.(?:(?:js)?bundle|bundlejs|hbc)$|(?:^|\/)bundle\.harmony\.js$/
/** What `expo export` writes for a platform, under a name with its hash. */
const EXPORTED = /(?:^|\/)_expo\/static\/js\/(android|ios)\/[^/]+\.(?:hbc|js)$/

/** Whether a file is a bundle by its name. `/`-separated. */
export function isReactNativeBundle(file: string): boolean {
  return BUNDLE.test(file) || EXPORTED.test(file)
}

/** What stacks call a bundle: its file name, unless `expo export` wrote it, whose name no device knows. `/`-separated. */
export function bundleNameOf(path: string): string {
  const platform = EXPORTED.exec(path)?.[1] as 'android' | 'ios' | undefined
  return platform === undefined ? fileNameOf(path) : BUNDLE_NAMES[platform]
}

/** Stacks name the bundle, wherever it lies on the device. */
export function addressOfBundle(name: string): string {
  return `app:///${fileNameOf(urlPath(name))}`
}

/**
 * The map of a bundle that has none beside it: Gradle writes maps to a directory of their own, which is called as the variant. Undefined where it may be one of several.
 * @param files `/`-separated, as the bundle is.
 */
export function mapApart(bundle: string, files: readonly string[]): string | undefined {
  const name = `${fileNameOf(bundle)}.map`
  const maps = files.filter((file) => fileNameOf(file) === name)
  if (maps.includes(`${bundle}.map`)) return undefined
  // One that lies beside another bundle is of that one.
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

/** The platform that the name of a bundle tells, or the directory that `expo export` wrote it to. `/`-separated. */
export function platformOfBundle(path: string): ReactNativePlatform | undefined {
  const name = bundleNameOf(path)
  if (/\bandroid\b/.test(name)) return 'android'
  if (/\bharmony\b|^hermes_bundle\.hbc$/.test(name)) return 'harmony'
  return /\bios\b|\.jsbundle$/.test(name) ? 'ios' : undefined
}
