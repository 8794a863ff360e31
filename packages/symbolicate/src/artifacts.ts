import type { BinarySource, SymbolEvent } from '@symup/core/resolving'
import type { StoredContent } from './content.ts'

export interface Release {
  service: string
  version: string
}

/** Provides the resolver with symbol files from the intake's store or from a directory on disk. */
export interface ArtifactSource {
  /**
   * Returns the release's JavaScript artifacts whose path is one of the given paths, newest first. A path can have one artifact per host.
   */
  findScripts(release: Release, paths: readonly string[]): Promise<ScriptArtifact[]>
  /**
   * Returns the JavaScript artifacts with the given lower-case debug ids, in any order. If several artifacts share an id, only one is
   * returned. An artifact from the preferred release takes precedence over newer artifacts.
   */
  findScriptsByDebugId?(debugIds: readonly string[], preferred: Release): Promise<ScriptArtifact[]>
  /**
   * Returns at most `limit` JavaScript artifacts whose URL path ends in `/<fileName>`, newest first. A search within a release is used to
   * find the files of an installed app. A search within a service or across all services is used to explain why a file was not found.
   */
  findScriptsNamed(fileName: string, limit: number, of?: Partial<Release>): Promise<ScriptPlace[]>
  /** Returns the versions of the service that have at least one JavaScript artifact, newest first. */
  versionsOf(service: string): Promise<string[]>
  /** Returns the services that have at least one JavaScript artifact, in alphabetical order. */
  services(): Promise<string[]>
  /** Finds source maps for mini programs. If a source has no `miniPrograms`, stacks from mini programs cannot be resolved. */
  miniPrograms?: MiniProgramSource
  /**
   * Returns at most `limit` symbol files from the release, newest first. JavaScript artifacts are not included. If a source has no
   * `findSymbolFiles`, only JavaScript stacks are resolved.
   */
  findSymbolFiles?(query: SymbolFileQuery, limit: number): Promise<SymbolFile[]>
  /** Returns at most `limit` releases that have symbol files of the given kind, newest first. Used to explain why a file was not found. */
  releasesWith?(
    kind: SymbolFileKind,
    limit: number,
    of?: Partial<Release>,
  ): Promise<{ service: string; version: string }[]>
  /**
   * Returns the native file with the given build id (in lower case) or UUID (in upper case with dashes) from any release. If several files
   * match, the one with the most debug information is returned, or the newest one if they have the same amount. If a source has no
   * `findNative`, native code is not resolved.
   */
  findNative?(id: string): Promise<NativeArtifact | undefined>
  /**
   * Returns at most `limit` native files for the library with the given name, newest first. A search within a release is used if the ids in
   * a stack are missing or incomplete. A search across all releases is used to explain why a file was not found.
   */
  findNativeNamed?(name: string, limit: number, release?: Release): Promise<NativePlace[]>
  /**
   * Returns at most `limit` symbol files from the release's Flutter builds, newest first. If a build id is given, only files with that id
   * are returned. If a source has no `findFlutter`, Dart stacks are not resolved.
   */
  findFlutter?(release: Release & { buildId?: string }, limit: number): Promise<FlutterArtifact[]>
}

export interface MiniProgramSource {
  /** Returns the maps with the given names from the release's archives, regardless of the appid. */
  findMaps(release: Release, entries: readonly string[]): Promise<MiniProgramMap[]>
  /** Returns the names of at most `limit` maps in the release's archives. Used to explain why a map was not found. */
  entriesOf(release: Release, limit: number): Promise<string[]>
  /** Returns at most `limit` releases that have an archive, newest first. Used to explain why a map was not found. */
  releases(limit: number, service?: string): Promise<Release[]>
}

export interface MiniProgramMap {
  /** The name of the map in the archive, such as `packageA/app-service.js.map`. */
  entry: string
  /** The root directory of the sub-package, or '' for the main package. */
  subPackage: string
  /** The appid, or an empty string if the archive was uploaded without one. */
  appid: string
  /** A cache key for parsed maps. Maps with identical content have the same key. */
  contentKey: string
  /** Returns the path of the archive on disk, so that another thread can read the map. */
  locateArchive?(): Promise<string>
  readMap(): Promise<Uint8Array>
}

/** Thrown by an artifact source if uploaded content is missing or damaged. To fix the error, upload the content again. */
export class ContentLost extends Error {
  /** The error message. When an error is passed from another thread, only its message is preserved. */
  static readonly why = 'The file is missing or damaged in the intake store.'

  constructor() {
    super(ContentLost.why)
  }
}

/** The symbol file that `flutter build --split-debug-info` writes for one architecture. */
export interface FlutterArtifact extends NativeArtifact {
  platform: string
  /** The architecture, as spelled by the uploader. The resolver also accepts other spellings. */
  arch: string
  flavor?: string
  /** The build id in lower case. Most iOS symbol files do not have one. */
  buildId?: string
}

export interface NativePlace {
  id: string
  service: string
  version: string
  arch?: string
}

export interface NativeArtifact {
  /** The cache key of the file. Files with identical content have the same key. */
  contentKey: string
  /** Explains why this file was chosen if several files have the same id. */
  choice?: string
  /** The path of the file on disk, so that another thread can open the file. */
  file?: string
  /** The path of the BCSymbolMap, which contains the names that Xcode replaced. */
  symbolMap?: string | undefined
  /** The path of the file. Set only if other files in the same directory may contain parts of the file's debug information. */
  builtAt?: string
  open(): BinarySource
}

/** The `event.type` field of an upload. The intake stores uploads of the last three types but does not use them to resolve stacks. */
export type SymbolFileKind = SymbolEvent['type'] | 'pe_symbol_file' | 'dotnet_portable_pdb' | 'il2cpp_mapping_file'

export interface SymbolFileQuery {
  kind: SymbolFileKind
  service: string
  version: string
  /** The build variant. If no variant is given, all variants match. */
  variant?: string
  /** The id of the app build. If no id is given, all builds match. */
  buildId?: string
}

/**
 * The name of the part that contains the index for an artifact's source map or mapping. The intake creates the index, deletes it with the
 * artifact, and never shows it to users.
 */
export const INDEX_PART = 'source_map_index'

export interface SymbolFile extends SymbolFileQuery {
  /** A hash that serves as the cache key for parsed content. Files with identical content have the same key. */
  contentKey: string
  /** Opens a part of the upload by name, or the {@link INDEX_PART}. Returns undefined if the part does not exist. */
  open(part: string): Promise<StoredContent | undefined>
}

export interface ScriptQuery extends Release {
  /** The URL path, as returned by {@link urlPath}. It starts with `/`, has no origin or query, and uses normalized percent-encoding. */
  path: string
}

export interface ScriptPlace extends ScriptQuery {
  /** The script's address as specified in the upload, which is either a URL or a path. */
  address?: string
}

export interface DistantContent {
  /** A hash of the content. */
  content: string
  /** The size in bytes. */
  size: number
  /**
   * Reads bytes synchronously. Works only in pool threads.
   * @throws if the bytes are unavailable.
   */
  readNow?(position: number, length: number): Uint8Array
}

export interface ScriptArtifact extends ScriptPlace {
  /** A hash that serves as the cache key for parsed maps. Artifacts with identical content have the same key. */
  contentKey: string
  /** The file's ECMA-426 debug id in lower case. */
  debugId?: string
  /** The time of the most recent upload, in milliseconds since the Unix epoch. */
  uploadedAt?: number
  /** The command to run if the files are not available. */
  unavailableFix?: string
  /** Returns the path on disk of the map, the script or the index, so that another thread can read the file. */
  locate?(part: 'map' | 'script' | 'index'): Promise<string | undefined>
  /**
   * Returns the remote map if no local copy exists. The resolver can read parts of a remote map only if an index is available to verify
   * them.
   */
  distantMap?(): Promise<DistantContent | undefined>
  readMap(): Promise<Uint8Array>
  /** Returns the minified file or the bundle (JavaScript or Hermes bytecode), or undefined if it was not uploaded. */
  readScript(): Promise<Uint8Array | undefined>
}
