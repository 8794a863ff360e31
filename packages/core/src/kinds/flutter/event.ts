import type { UploadEvent } from '../../model/event.ts'

/** The symbol file that `flutter build --split-debug-info` writes for one architecture. */
export interface FlutterSymbolEvent extends UploadEvent {
  type: 'flutter_symbol_file'
  service: string
  version: string
  /** The flavor of the build, or `release` if it has no flavor. */
  flavor: string
  /** The target platform. `ohos` is HarmonyOS, and `darwin` is macOS. */
  platform: 'android' | 'ios' | 'ohos' | 'darwin' | 'linux' | 'windows'
  /** The architecture: `arm`, `arm64` or `x64`. */
  arch: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    flutter_symbol_file: FlutterSymbolEvent
  }
}
