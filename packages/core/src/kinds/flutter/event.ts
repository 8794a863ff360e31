import type { UploadEvent } from '../../model/event.ts'

/** The output of `flutter build --split-debug-info` for one architecture. */
export interface FlutterSymbolEvent extends UploadEvent {
  type: 'flutter_symbol_file'
  service: string
  version: string
  /** Flavor of the build; `release` if it has none. */
  flavor: string
  /** `ohos` means HarmonyOS, `darwin` means macOS. */
  platform: 'android' | 'ios' | 'ohos' | 'darwin' | 'linux' | 'windows'
  /** `arm`, `arm64` or `x64`. */
  arch: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    flutter_symbol_file: FlutterSymbolEvent
  }
}
