/** A `symup.gradle` task passes this request as JSON on the companion's standard input. Paths are absolute. */
interface TaskRequest {
  /** Includes the flavor, as in `freeRelease`. */
  variant: string
  directory: string
  /** Values from the build script; `null` for values that it does not set. */
  settings: Readonly<Record<string, unknown>>
  build: { applicationId?: string | null; versionName?: string | null; versionCode?: number | string | null }
  buildId?: string | null
  ignoreConfigFile?: boolean
}

export interface MappingRequest extends TaskRequest {
  task: 'upload-mapping'
  /** The configured file, or the Android plugin's file; a list if the plugin returns a file collection. */
  mappingFile?: string | string[] | null
  /** Standard paths of the build. The first existing file is used. */
  usualMappingFiles: string[]
  trimIndents?: boolean
  packageAliases?: Record<string, string>
  temporaryDirectory: string
}

export interface NdkRequest extends TaskRequest {
  task: 'upload-ndk'
  /** Directories of libraries with symbols, for each native build. The first directory that contains libraries is used. */
  nativeBuilds: string[][]
  directories: string[]
}

export type Request = MappingRequest | NdkRequest
