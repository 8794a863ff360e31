import type { UploadEvent } from '../../model/event.ts'
import type { ReactNativePlatform } from './bundle-names.ts'

/** A React Native bundle and its source map. With Hermes the map is the composed one. */
export interface ReactNativeSourceMapEvent extends UploadEvent {
  type: 'react_native_sourcemap'
  service: string
  version: string
  platform: ReactNativePlatform
  /** `versionCode` on Android and HarmonyOS, `CFBundleVersion` on iOS. */
  build_version: string
  /** File name that appears in stacks, such as `index.android.bundle`. */
  bundle_name: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    react_native_sourcemap: ReactNativeSourceMapEvent
  }
}
