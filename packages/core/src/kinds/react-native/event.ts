import type { UploadEvent } from '../../model/event.ts'
import type { ReactNativePlatform } from './bundle-names.ts'

/** A React Native bundle and its source map. For Hermes bundles, this is the composed map. */
export interface ReactNativeSourceMapEvent extends UploadEvent {
  type: 'react_native_sourcemap'
  service: string
  version: string
  platform: ReactNativePlatform
  /** The `versionCode` on Android and HarmonyOS, or the `CFBundleVersion` on iOS. */
  build_version: string
  /** The file name that appears in stacks, such as `index.android.bundle`. */
  bundle_name: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    react_native_sourcemap: ReactNativeSourceMapEvent
  }
}
