import type { BinarySource, SymbolEvent } from '@symup/core/resolving'
import type { Release } from './release.ts'
import type { MiniProgramSource } from './resolvers/mini-program/source.ts'
import type { StoredBytes } from './stored-bytes.ts'

/**
 * How the resolver asks for symbol files, whoever keeps them: the intake's store, or a directory on disk.
 * A name is looked up by service + version + URL path; the other questions exist to say *why* nothing was found.
 */
export interface ArtifactSource {
  /** The JavaScript artifacts of a release at exactly these paths, newest first; at one path one for each host that files were uploaded for. */
  findScripts(release: Release, paths: readonly string[]): Promise<ScriptArtifact[]>
  /**
   * The JavaScript artifacts with these debug ids (lower-case), in any order; of several with one id that of the release when it is among them, else the newest.
   */
  findScriptsByDebugId?(debugIds: readonly string[], preferred: Release): Promise<ScriptArtifact[]>
  /**
   * JavaScript artifacts whose URL path ends in `/<fileName>`, newest first, at most `limit`: of a release to find the files of an installed app, of
   * a service or of any to explain a miss.
   */
  findScriptsNamed(fileName: string, limit: number, of?: Partial<Release>): Promise<ScriptPlace[]>
  /** Versions that have any JavaScript artifact for the service, newest first. */
  versionsOf(service: string): Promise<string[]>
  /** Services that have any JavaScript artifact, in alphabetical order. */
  services(): Promise<string[]>
  /** Source maps of mini programs. Without it their stacks cannot be resolved. */
  miniPrograms?: MiniProgramSource
  /** Symbol files of another kind for a release, newest first, at most `limit`. Without it only JavaScript is resolved. */
  findSymbolFiles?(query: SymbolFileQuery, limit: number): Promise<SymbolFile[]>
  /** Releases, of a service or a version where one is given, that have symbol files of a kind, newest first, at most `limit`. Used only to explain a miss. */
  releasesWith?(
    kind: SymbolFileKind,
    limit: number,
    of?: Partial<Release>,
  ): Promise<{ service: string; version: string }[]>
  /**
   * The native file with this build-id (lower case) or UUID (upper case with dashes), whatever its service and version: of several the one
   * that knows most, then the newest. Without it native code is not resolved.
   */
  findNative?(id: string): Promise<NativeArtifact | undefined>
  /**
   * Native files of a library of this name, newest first, at most `limit`: of a release for stacks without (whole) ids, of any to explain a miss.
   */
  findNativeNamed?(name: string, limit: number, release?: Release): Promise<NativePlace[]>
  /** Symbols of Flutter builds of a release, newest first, at most `limit`: of all, or of files with this id. Without it Dart stacks are not resolved. */
  findFlutter?(release: Release & { buildId?: string }, limit: number): Promise<FlutterArtifact[]>
}

/** What a source throws where what was uploaded is gone or damaged, until it is uploaded again or the disk has it back. */
export class ContentLost extends Error {
  /** Its message, the end of a sentence; from another thread an error has nothing else. */
  static readonly why = 'it is gone from the store of the intake, or damaged there'

  constructor() {
    super(ContentLost.why)
  }
}

/** What `flutter build --split-debug-info` wrote for one architecture. */
export interface FlutterArtifact extends NativeArtifact {
  platform: string
  /** As the upload says; see the resolver for its spellings. */
  arch: string
  flavor?: string
  /** Build-id in lower case; those for iOS mostly have none. */
  buildId?: string
}

export interface NativePlace {
  /** Build-id or UUID. */
  id: string
  service: string
  version: string
  arch?: string
}

export interface NativeArtifact {
  /** Equal for equal content. */
  contentKey: string
  /** Why this one, where several files have the id; one sentence. */
  choice?: string
  /** Its path, where it is a file on disk: another thread opens it itself. */
  file?: string
  /** Path of the BCSymbolMap with its names, where Xcode hid them. */
  symbolMap?: string | undefined
  /** Its path, where other files of the build may lie beside it that hold parts of its debug information. */
  builtAt?: string
  open(): BinarySource
}

/** `event.type` of the upload; the last three are stored and listed only. */
export type SymbolFileKind = SymbolEvent['type'] | 'pe_symbol_file' | 'dotnet_portable_pdb' | 'il2cpp_mapping_file'

export interface SymbolFileQuery {
  kind: SymbolFileKind
  service: string
  version: string
  /** Build variant; absent: any. */
  variant?: string
  /** Id of the app build; absent: any. */
  buildId?: string
}

/** The part that holds the index of an artifact's source map or mapping. An intake makes it and it goes with the artifact; nobody is shown it. */
export const INDEX_PART = 'source_map_index'

export interface SymbolFile extends SymbolFileQuery {
  /** Equal for equal content (a hash): parsed forms are cached under it. */
  contentKey: string
  /** A part of the upload by its name, or {@link INDEX_PART}; undefined when it is not there. */
  open(part: string): Promise<StoredBytes | undefined>
}

export interface ScriptQuery extends Release {
  /** URL path as {@link urlPath} makes it: starts with `/`, no origin, no query, percent-encoding normalised. */
  path: string
}

/** Where an artifact was uploaded to. */
export interface ScriptPlace extends ScriptQuery {
  /** The address as the upload gave it: a URL or a path. */
  address?: string
}

/** Content that is kept far away. */
export interface DistantContent {
  /** Names it, and its bytes, for ever: a hash. */
  content: string
  /** Bytes. */
  size: number
  /** Waits for the bytes: threads of a pool can. @throws when they cannot be had. */
  readNow?(position: number, length: number): Uint8Array
}

export interface ScriptArtifact extends ScriptPlace {
  /** Equal for equal content (a hash): parsed maps are cached under it. */
  contentKey: string
  /** ECMA-426 debug id, lower-case, where the file has one. */
  debugId?: string
  /** When it was last uploaded, in Unix milliseconds, where that is known. */
  uploadedAt?: number
  /** What frames that it resolves should say of it. */
  note?: string
  /** Its files are not at hand: what to ask for them instead. */
  elsewhere?: string
  /** Path of its map, its script, or the index that was made of both, where that is a file on disk: another thread reads it itself. */
  locate?(part: 'map' | 'script' | 'index'): Promise<string | undefined>
  /** Its map, where there is no copy of it on this machine: parts of it are read then, if there is an index to check them with. */
  distantMap?(): Promise<DistantContent | undefined>
  readMap(): Promise<Uint8Array>
  /** The minified file, or the bundle (JavaScript or Hermes bytecode); undefined when it was not uploaded. */
  readScript(): Promise<Uint8Array | undefined>
}
