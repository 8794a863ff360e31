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

/** The last one is `bundle.harmony.js` as bytecode; `index.bundlejs` is what updates of Pushy are called. */
const BUNDLE = /\.(?:(?:js)?bundle|bundlejs)$|(?:^|\/)(?:bundle\.harmony\.js|hermes_bundle\.hbc)$/

/** Whether a file is a bundle by its name. `/`-separated. */
export function isReactNativeBundle(file: string): boolean {
  return BUNDLE.test(file)
}

/** Stacks name the bundle, wherever it lies on the device. */
export function addressOfBundle(name: string): string {
  return `app:///${fileNameOf(urlPath(name))}`
}

/** The platform that the name of a bundle tells. */
export function platformOfBundle(name: string): ReactNativePlatform | undefined {
  if (/\bandroid\b/.test(name)) return 'android'
  if (/\bharmony\b|^hermes_bundle\.hbc$/.test(name)) return 'harmony'
  return /\bios\b|\.jsbundle$/.test(name) ? 'ios' : undefined
}
