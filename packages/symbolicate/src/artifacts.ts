import type { BinarySource, SymbolEvent } from '@symup/core/resolving'
import type { StoredContent } from './content.ts'

/** The release for which the files were uploaded. */
export interface Release {
  service: string
  version: string
}

/**
 * Where the resolver finds symbol files: the intake's store, or a directory on disk. A file is looked up by service,
 * version and URL path. The other queries only serve to explain why nothing was found.
 */
export interface ArtifactSource {
  /** The JavaScript artifacts of a release at exactly these paths, newest first. A path may have one artifact per host. */
  findScripts(release: Release, paths: readonly string[]): Promise<ScriptArtifact[]>
  /**
   * The JavaScript artifacts with these debug ids (lower case), in any order. If several have the same id, the artifact from the preferred
   * release wins, otherwise the newest one.
   */
  findScriptsByDebugId?(debugIds: readonly string[], preferred: Release): Promise<ScriptArtifact[]>
  /**
   * JavaScript artifacts whose URL path ends in `/<fileName>`, newest first, at most `limit`. A search within a release finds the files of
   * an installed app. A search within one service or all services explains a miss.
   */
  findScriptsNamed(fileName: string, limit: number, of?: Partial<Release>): Promise<ScriptPlace[]>
  /** Versions of the service with any JavaScript artifact, newest first. */
  versionsOf(service: string): Promise<string[]>
  /** Services with any JavaScript artifact, in alphabetical order. */
  services(): Promise<string[]>
  /** Source maps of mini programs. If absent, stacks from mini programs cannot be resolved. */
  miniPrograms?: MiniProgramSource
  /** A release's symbol files of another kind, newest first, at most `limit`. If absent, only JavaScript is resolved. */
  findSymbolFiles?(query: SymbolFileQuery, limit: number): Promise<SymbolFile[]>
  /**
   * Releases with symbol files of a kind, optionally only for one service or version, newest first, at most `limit`. Used only to explain a
   * miss.
   */
  releasesWith?(
    kind: SymbolFileKind,
    limit: number,
    of?: Partial<Release>,
  ): Promise<{ service: string; version: string }[]>
  /**
   * The native file with this build id (lower case) or UUID (upper case with dashes), in any release. If several files match, the one with
   * the most information wins, then the newest. If this function is absent, native code is not resolved.
   */
  findNative?(id: string): Promise<NativeArtifact | undefined>
  /**
   * Native files of a library with this name, newest first, at most `limit`. A search within a release is for stacks without (complete)
   * ids. A search across all releases explains a miss.
   */
  findNativeNamed?(name: string, limit: number, release?: Release): Promise<NativePlace[]>
  /**
   * Symbols from a release's Flutter builds, newest first, at most `limit`; with an id, only matching ones. If absent, Dart stacks are not
   * resolved.
   */
  findFlutter?(release: Release & { buildId?: string }, limit: number): Promise<FlutterArtifact[]>
}

/** Where the resolver finds source maps of mini programs. */
export interface MiniProgramSource {
  /** The maps with these names in a release's archives, for any appid. */
  findMaps(release: Release, entries: readonly string[]): Promise<MiniProgramMap[]>
  /** Names of the release's maps, at most `limit`. Used only to explain a miss. */
  entriesOf(release: Release, limit: number): Promise<string[]>
  /** Releases with an archive, optionally only for one service, newest first, at most `limit`. Used only to explain a miss. */
  releases(limit: number, service?: string): Promise<Release[]>
}

export interface MiniProgramMap {
  /** Name in the archive, such as `packageA/app-service.js.map`. */
  entry: string
  /** Root of the sub-package; '' for the main package. */
  subPackage: string
  /** '' if the archive was uploaded without one. */
  appid: string
  /** Identical for identical content. Used as a cache key for parsed maps. */
  contentKey: string
  /** Path of the archive on disk. Another thread reads the map from there. */
  locateArchive?(): Promise<string>
  readMap(): Promise<Uint8Array>
}

/** Thrown by a source if uploaded content is missing or damaged. Uploading the content again fixes this. */
export class ContentLost extends Error {
  /** The message, worded as a sentence. Only the message survives when an error comes from another thread. */
  static readonly why = 'The file is missing or damaged in the intake store.'

  constructor() {
    super(ContentLost.why)
  }
}

/** The output of `flutter build --split-debug-info` for one architecture. */
export interface FlutterArtifact extends NativeArtifact {
  platform: string
  /** Spelled as in the upload. The resolver handles different spellings. */
  arch: string
  flavor?: string
  /** Build id in lower case. Most iOS files have none. */
  buildId?: string
}

export interface NativePlace {
  /** Build id or UUID. */
  id: string
  service: string
  version: string
  arch?: string
}

export interface NativeArtifact {
  /** Identical for identical content. */
  contentKey: string
  /** One sentence that explains why this file was chosen among several with the same id. */
  choice?: string
  /** Path of a file on disk, which another thread can open itself. */
  file?: string
  /** Path of the BCSymbolMap with the names that Xcode hid. */
  symbolMap?: string | undefined
  /** Path of the file, set if neighbouring files from the same build may contain parts of its debug information. */
  builtAt?: string
  open(): BinarySource
}

/** `event.type` of the upload. The intake only stores and lists the last three. */
export type SymbolFileKind = SymbolEvent['type'] | 'pe_symbol_file' | 'dotnet_portable_pdb' | 'il2cpp_mapping_file'

export interface SymbolFileQuery {
  kind: SymbolFileKind
  service: string
  version: string
  /** Build variant. If absent, any variant matches. */
  variant?: string
  /** Id of the app build. If absent, any build matches. */
  buildId?: string
}

/**
 * The part that contains the index of an artifact's source map or mapping. The intake creates this part, deletes it with the artifact, and
 * never shows it.
 */
export const INDEX_PART = 'source_map_index'

export interface SymbolFile extends SymbolFileQuery {
  /** A hash: identical for identical content. Used as a cache key for parsed content. */
  contentKey: string
  /** A part of the upload by name, or {@link INDEX_PART}; undefined if it does not exist. */
  open(part: string): Promise<StoredContent | undefined>
}

export interface ScriptQuery extends Release {
  /** URL path from {@link urlPath}: starts with `/`, has no origin or query, and its percent-encoding is normalized. */
  path: string
}

/** The deployment address of an artifact. */
export interface ScriptPlace extends ScriptQuery {
  /** The address from the upload: a URL or a path. */
  address?: string
}

/** Content in remote storage. */
export interface DistantContent {
  /** A hash that identifies the content permanently. */
  content: string
  /** In bytes. */
  size: number
  /** Reads bytes synchronously, which is possible only in a pool's threads. @throws if they are unavailable. */
  readNow?(position: number, length: number): Uint8Array
}

export interface ScriptArtifact extends ScriptPlace {
  /** A hash: identical for identical content. Used as a cache key for parsed maps. */
  contentKey: string
  /** ECMA-426 debug id in lower case, if the file has one. */
  debugId?: string
  /** Last upload in Unix milliseconds, if known. */
  uploadedAt?: number
  /** A remark to show with the frames that this file resolves. */
  note?: string
  /** Set if the files are not available: the command to run instead. */
  unavailableFix?: string
  /** Path of the map, the script or their index, if it is a file on disk. Another thread can then read it. */
  locate?(part: 'map' | 'script' | 'index'): Promise<string | undefined>
  /** The map, if it has no local copy. Partial reads require an index that can verify them. */
  distantMap?(): Promise<DistantContent | undefined>
  readMap(): Promise<Uint8Array>
  /** The minified file, or the bundle (JavaScript or Hermes bytecode); undefined if it was not uploaded. */
  readScript(): Promise<Uint8Array | undefined>
}
