/** A request from a `symup.gradle` task, which is passed to the companion as JSON on standard input. Paths are absolute. */
interface TaskRequest {
  /** The variant, including the flavor, such as `freeRelease`. */
  variant: string
  directory: string
  /** Values from the build script. A value is `null` if the script does not set it. */
  settings: Readonly<Record<string, unknown>>
  build: { applicationId?: string | null; versionName?: string | null; versionCode?: number | string | null }
  buildId?: string | null
  ignoreConfigFile?: boolean
}

export interface MappingRequest extends TaskRequest {
  task: 'upload-mapping'
  /** The mapping file from the user's config or from the Android plugin. A list if the plugin returns a file collection. */
  mappingFile?: string | string[] | null
  /** Standard paths of mapping files. The first file that exists is used. */
  usualMappingFiles: string[]
  trimIndents?: boolean
  packageAliases?: Record<string, string>
  temporaryDirectory: string
}

export interface NdkRequest extends TaskRequest {
  task: 'upload-ndk'
  /** For each native build, the candidate directories for libraries with symbols. The first one that contains libraries is used. */
  nativeBuilds: string[][]
  directories: string[]
}

export type Request = MappingRequest | NdkRequest
