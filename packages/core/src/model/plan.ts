import type { Problem } from '../problems/problems.ts'
import type { SymbolEvent } from './event.ts'

/** One file part of an upload. The bytes are read from `path` while sending, unless `content` already holds them. */
export interface FilePart {
  /** Name of the multipart field, such as `source_map`. */
  name: string
  /** File name said on the wire; a server must not trust it. */
  filename: string
  /** Where the file is on disk, or the name it would have had. Absolute. */
  path: string
  /** Size in bytes when the plan was made. */
  bytes: number
  /** MIME type. Default `application/octet-stream`. */
  contentType?: string
  /** Bytes that are not on disk (an inline source map, a bundler's asset). */
  content?: Uint8Array
  /** Of bytes that were read from the disk: when the file was last changed, in milliseconds since 1970. */
  modified?: number
}

/** One artifact to send: what it is, and its files. Pure data. */
export interface SymbolUpload {
  event: SymbolEvent
  parts: FilePart[]
  /** Which one it is of those with the same event: a module, a build id. Left out where the event tells them apart. */
  member?: string
  /** What the user has of it, where no part is that: the bundle of an archive that was packed. Absolute. */
  from?: string
  /** Where the sources can be found; sent as the part `repository`. */
  repository?: { url: string; commit: string; files: readonly string[] }
  /** `identity` for archives that are already compressed. Default `gzip`. */
  encoding?: 'gzip' | 'identity'
}

/** What would be sent, and why the rest would not. */
export interface Plan {
  uploads: SymbolUpload[]
  problems: Problem[]
}

/** The stable JSON form of a plan, as `--dry-run --json` prints it. */
export interface PlanDocument {
  uploads: { event: SymbolEvent; parts: { name: string; path: string; bytes: number }[] }[]
  problems: Problem[]
}

export function planDocument(plan: Plan): PlanDocument {
  return {
    uploads: plan.uploads.map(({ event, parts }) => ({
      event,
      parts: parts.map(({ name, path, bytes }) => ({ name, path, bytes })),
    })),
    problems: plan.problems,
  }
}

/** Bytes of all file parts of an upload, before compression. */
export function uploadBytes(upload: SymbolUpload): number {
  return upload.parts.reduce((sum, part) => sum + part.bytes, 0)
}
