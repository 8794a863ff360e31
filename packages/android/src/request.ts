/** What a task of `symup.gradle` asks, as JSON on the companion's standard input. Paths are absolute. */
interface TaskRequest {
  /** Name of the variant, such as `freeRelease`. */
  variant: string
  /** Directory of the module. */
  directory: string
  /** What the build script sets; `null` where it leaves a value out. */
  settings: Readonly<Record<string, unknown>>
  /** What the Android plugin says of the variant. */
  build: { applicationId?: string | null; versionName?: string | null; versionCode?: number | string | null }
  buildId?: string | null
  ignoreConfigFile?: boolean
}

export interface MappingRequest extends TaskRequest {
  task: 'upload-mapping'
  /** The file that was set or that the Android plugin names; a list where that gives a file collection. */
  mappingFile?: string | string[] | null
  /** Where the build writes it otherwise; the first that exists counts. */
  usualMappingFiles: string[]
  trimIndents?: boolean
  packageAliases?: Record<string, string>
  /** For the shortened copy of the mapping file. */
  temporaryDirectory: string
}

export interface NdkRequest extends TaskRequest {
  task: 'upload-ndk'
  /** For each native build its directories of libraries with symbols; the first that holds any counts. */
  nativeBuilds: string[][]
  directories: string[]
}

export type Request = MappingRequest | NdkRequest
