import type { MiniProgramSource } from './mini-program/source.ts'

/**
 * How the resolver asks for symbol files, whoever keeps them: the intake's store, or a directory on disk.
 * A name is looked up by service + version + URL path; the other questions exist to say *why* nothing was found.
 */
export interface ArtifactSource {
  /** The JavaScript artifact at exactly this place, the newest when there are several. */
  findScript(query: ScriptQuery): Promise<ScriptArtifact | undefined>
  /** The JavaScript artifact with this debug id, whatever its service and version. */
  findScriptByDebugId?(debugId: string): Promise<ScriptArtifact | undefined>
  /**
   * JavaScript artifacts whose URL path ends in `/<fileName>`, of any service and version, newest first, at most `limit`.
   * Used only to explain a miss.
   */
  findScriptsNamed(fileName: string, limit: number): Promise<ScriptPlace[]>
  /** Versions that have any JavaScript artifact for the service, newest first. */
  versionsOf(service: string): Promise<string[]>
  /** Services that have any JavaScript artifact, in alphabetical order. */
  services(): Promise<string[]>
  /** Source maps of mini programs. Without it their stacks cannot be resolved. */
  miniPrograms?: MiniProgramSource
}

export interface ScriptQuery {
  service: string
  version: string
  /** URL path as {@link urlPath} makes it: starts with `/`, no origin, no query, percent-encoding normalised. */
  path: string
}

/** Where an artifact was uploaded to. */
export interface ScriptPlace extends ScriptQuery {}

export interface ScriptArtifact extends ScriptPlace {
  /** Equal for equal content (a hash): parsed maps are cached under it. */
  contentKey: string
  readMap(): Promise<Uint8Array>
  /** The minified file; undefined when it was not uploaded. */
  readScript(): Promise<Uint8Array | undefined>
}
