import type { Problem } from '../problems/problems.ts'
import type { SymbolEvent } from './event.ts'

/** One file part of an upload. Sending reads the bytes from `path`, unless `content` already holds them. */
export interface FilePart {
  /** Name of the multipart field, such as `source_map`. */
  name: string
  /** File name in the request. A server must not trust it. */
  filename: string
  /** Path of the file, or the name it would have on disk. Absolute. */
  path: string
  /** Size in bytes when the plan was made. */
  bytes: number
  /** MIME type. Default `application/octet-stream`. */
  contentType?: string
  /** Bytes that are not on disk (an inline source map, a bundler's asset). */
  content?: Uint8Array
  /** For bytes read from disk: time of the last change, in milliseconds since 1970. */
  modified?: number
}

/** One artifact to send: its metadata and files. Pure data. */
export interface SymbolUpload {
  event: SymbolEvent
  parts: FilePart[]
  /** Distinguishes artifacts with the same event: a module or a build id. Omitted if the event is unique. */
  member?: string
  /** The user's file, if no part is that file: for a packed archive, the bundle. Absolute. */
  from?: string
  /** Where to find the sources; sent as the part `repository`. */
  repository?: { url: string; commit: string; files: readonly string[] }
  /** `identity` for archives that are already compressed. Default `gzip`. */
  encoding?: 'gzip' | 'identity'
}

/** Artifacts to send, and the reasons why others are not sent. */
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
