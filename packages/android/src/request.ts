/** The request of a `symup.gradle` task, as JSON on the companion's standard input. Paths are absolute. */
interface TaskRequest {
  /** Name of the variant, such as `freeRelease`. */
  variant: string
  /** Directory of the module. */
  directory: string
  /** Values set in the build script; `null` for omitted ones. */
  settings: Readonly<Record<string, unknown>>
  /** The Android plugin's values for the variant. */
  build: { applicationId?: string | null; versionName?: string | null; versionCode?: number | string | null }
  buildId?: string | null
  ignoreConfigFile?: boolean
}

export interface MappingRequest extends TaskRequest {
  task: 'upload-mapping'
  /** The configured file, or the Android plugin's file; a list if the plugin returns a file collection. */
  mappingFile?: string | string[] | null
  /** The build's standard paths. The first existing file is used. */
  usualMappingFiles: string[]
  trimIndents?: boolean
  packageAliases?: Record<string, string>
  /** Directory for the reduced copy of the mapping file. */
  temporaryDirectory: string
}

export interface NdkRequest extends TaskRequest {
  task: 'upload-ndk'
  /** Directories of libraries with symbols, per native build. The first one with any libraries is used. */
  nativeBuilds: string[][]
  directories: string[]
}

export type Request = MappingRequest | NdkRequest
