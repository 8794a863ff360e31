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

/** The last one is `bundle.harmony.js` as bytecode; `index.bundlejs` is what updates of Pushy are called. Those of Lynx are another format. */
const BUNDLE = /(?<!\.lynx)\.(?:(?:js)?bundle|bundlejs)$|(?:^|\/)(?:bundle\.harmony\.js|hermes_bundle\.hbc)$/

/** Whether a file is a bundle by its name. `/`-separated. */
export function isReactNativeBundle(file: string): boolean {
  return BUNDLE.test(file)
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

/** The platform that the name of a bundle tells. */
export function platformOfBundle(name: string): ReactNativePlatform | undefined {
  if (/\bandroid\b/.test(name)) return 'android'
  if (/\bharmony\b|^hermes_bundle\.hbc$/.test(name)) return 'harmony'
  return /\bios\b|\.jsbundle$/.test(name) ? 'ios' : undefined
}
