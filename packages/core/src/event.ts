/**
 * The metadata of one upload: what the `event` part of the request says. Field names are the wire's.
 * One interface per `event.type`; the union is closed over what symup sends.
 */
export interface JavaScriptSourceMapEvent {
  type: 'js_sourcemap'
  cli_version: string
  service: string
  version: string
  /** Where the browser will load the minified file from: a full URL or an absolute path. */
  minified_url: string
  project_path: string
  /** ECMA-426 debug id of the file, when the build wrote one. */
  debug_id?: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** A ProGuard or R8 mapping file: what the classes and methods of one Android build variant were called. */
export interface JvmMappingEvent {
  type: 'jvm_mapping_file'
  cli_version: string
  service: string
  version: string
  /** `versionCode` of the build. */
  version_code: number
  /** Build variant, such as `paidRelease`. */
  variant: string
  /** Id of the app build, when the build has one. */
  build_id?: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** A zip with the source maps of one mini program. */
export interface MiniProgramSourceMapEvent {
  type: 'miniprogram_sourcemap'
  cli_version: string
  service: string
  version: string
  /** Tells mini programs of the same service and version apart. */
  appid?: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** A native library of one Android build variant, with its symbols. The ELF build-id in the file is the key that stacks find it by. */
export interface NdkSymbolEvent {
  type: 'ndk_symbol_file'
  cli_version: string
  service: string
  version: string
  /** `versionCode` of the build. */
  version_code: number
  /** Build variant, such as `paidRelease`. */
  variant: string
  /** `arm`, `arm64`, `x86` or `x64`. */
  arch: string
  /** Id of the app build, when the build has one; not the build-id of the library. */
  build_id?: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** The ArkTS maps of one HarmonyOS module. Modules of an app share service and version; their maps' keys tell them apart. */
export interface HarmonySourceMapEvent {
  type: 'harmony_sourcemap'
  cli_version: string
  service: string
  /** `versionName` that the application reports. */
  version: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** A native library of a HarmonyOS application, with its symbols. */
export interface HarmonySymbolFileEvent {
  type: 'harmony_symbol_file'
  cli_version: string
  service: string
  version: string
  /** `arm`, `arm64` or `x64`. */
  arch: string
  /** File name of the library. */
  lib_name: string
  /** Of the library's ELF note, in lower-case hexadecimal. */
  build_id: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** A React Native bundle and its source map; with Hermes the map is the composed one. */
export interface ReactNativeSourceMapEvent {
  type: 'react_native_sourcemap'
  cli_version: string
  service: string
  version: string
  platform: 'android' | 'ios'
  /** `versionCode` on Android, `CFBundleVersion` on iOS. */
  build_version: string
  /** File name that stacks name, such as `index.android.bundle`. */
  bundle_name: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** What `flutter build --split-debug-info` wrote for one architecture. */
export interface FlutterSymbolEvent {
  type: 'flutter_symbol_file'
  cli_version: string
  service: string
  version: string
  /** Flavor of the build; `release` where there are none. */
  flavor: string
  platform: 'android' | 'ios'
  /** `arm`, `arm64` or `x64`. */
  arch: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** A Breakpad symbol file of an Electron application. */
export interface ElectronSymbolEvent {
  type: 'electron_symbol_file'
  cli_version: string
  service: string
  version: string
  git_repository_url?: string
  git_commit_sha?: string
}

export type SymbolEvent =
  | ReactNativeSourceMapEvent
  | FlutterSymbolEvent
  | ElectronSymbolEvent
  | JavaScriptSourceMapEvent
  | JvmMappingEvent
  | NdkSymbolEvent
  | HarmonySourceMapEvent
  | HarmonySymbolFileEvent
  | IosSymbolsEvent
  | MiniProgramSourceMapEvent

/** A zipped `.dSYM`. Stacks find it by UUID, so it has no service and no version. */
export interface IosSymbolsEvent {
  type: 'ios_symbols'
  cli_version: string
  /** Upper case with dashes, separated by commas. */
  uuids: string
  git_repository_url?: string
  git_commit_sha?: string
}

/** What tells an artifact from the others of its service and version, for people. */
export function placeOf(event: SymbolEvent): string {
  switch (event.type) {
    case 'js_sourcemap':
      return event.minified_url
    case 'jvm_mapping_file':
      return `${event.variant} (${event.version_code})`
    case 'miniprogram_sourcemap':
      return event.appid ?? 'mini program'
    case 'ndk_symbol_file':
      return `${event.variant} (${event.version_code}), ${event.arch}`
    case 'harmony_sourcemap':
      return 'ArkTS'
    case 'harmony_symbol_file':
      return `${event.lib_name}, ${event.arch}`
    case 'ios_symbols':
      return event.uuids
    case 'react_native_sourcemap':
      return `${event.bundle_name}, ${event.platform} (${event.build_version})`
    case 'flutter_symbol_file':
      return `Flutter ${event.flavor}, ${event.platform} ${event.arch}`
    case 'electron_symbol_file':
      return 'Electron'
  }
}

/** What the intake answers and lists artifacts under. */
export const PLATFORMS = ['browser', 'android', 'ios', 'miniprogram', 'harmony'] as const
export type Platform = (typeof PLATFORMS)[number]

interface KindOfUpload {
  platform: Platform
  /** Metadata that an upload of this type must carry, each a non-empty string. */
  requiredFields: readonly string[]
  /** File parts that must be there. */
  requiredParts: readonly string[]
  /** File parts that may be there. */
  optionalParts?: readonly string[]
}

/**
 * Every `event.type` of the wire that an intake must take, with what makes such an upload complete.
 * Source: the protocol page of the service, "Events and parts" and "What the intake must accept".
 */
export const UPLOAD_KINDS: Readonly<Record<string, KindOfUpload>> = {
  js_sourcemap: {
    platform: 'browser',
    requiredFields: ['minified_url'],
    requiredParts: ['source_map'],
    optionalParts: ['minified_file'],
  },
  miniprogram_sourcemap: {
    platform: 'miniprogram',
    requiredFields: ['service', 'version'],
    requiredParts: ['sourcemap_archive'],
  },
  harmony_sourcemap: {
    platform: 'harmony',
    requiredFields: ['service', 'version'],
    requiredParts: ['source_map'],
    optionalParts: ['name_cache'],
  },
  harmony_symbol_file: {
    platform: 'harmony',
    requiredFields: ['service', 'version'],
    requiredParts: ['symbol_file'],
  },
  jvm_mapping_file: {
    platform: 'android',
    requiredFields: ['service', 'version'],
    requiredParts: ['jvm_mapping_file'],
  },
  ndk_symbol_file: { platform: 'android', requiredFields: ['service', 'version'], requiredParts: ['ndk_symbol_file'] },
  ios_symbols: { platform: 'ios', requiredFields: [], requiredParts: ['symbols_archive'] },
  react_native_sourcemap: {
    platform: 'browser',
    requiredFields: ['service', 'version', 'platform'],
    requiredParts: ['source_map'],
    optionalParts: ['bundle'],
  },
  flutter_symbol_file: {
    platform: 'android',
    requiredFields: ['service', 'version'],
    requiredParts: ['flutter_symbol_file'],
  },
  electron_symbol_file: {
    platform: 'browser',
    requiredFields: ['service', 'version'],
    requiredParts: ['symbol_file'],
  },
  elf_symbol_file: { platform: 'android', requiredFields: [], requiredParts: ['elf_symbol_file'] },
  pe_symbol_file: { platform: 'browser', requiredFields: [], requiredParts: ['pe_symbol_file'] },
  dotnet_portable_pdb: { platform: 'browser', requiredFields: [], requiredParts: ['dotnet_portable_pdb'] },
  wasm_symbol_file: { platform: 'browser', requiredFields: [], requiredParts: ['wasm_symbol_file'] },
  il2cpp_mapping_file: { platform: 'android', requiredFields: [], requiredParts: ['il2cpp_mapping_file'] },
}
