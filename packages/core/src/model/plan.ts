import type { Problem } from '../problems/problems.ts'
import type { SymbolEvent } from './event.ts'

/** One file part of an upload. The sender reads the bytes from `path`, unless `content` already contains them. */
export interface FilePart {
  /** The name of the multipart field, such as `source_map`. */
  name: string
  /** The file name in the request, which a server must not trust. */
  filename: string
  /** The absolute path of the file, or the path that the file would have on disk. */
  path: string
  /** The size in bytes when the plan was made. */
  bytes: number
  /** The MIME type. Default: `application/octet-stream`. */
  contentType?: string
  /** Bytes that are not on disk, such as an inline source map or a bundler's asset, or bytes that have already been read. */
  content?: Uint8Array
}

export interface SymbolUpload {
  event: SymbolEvent
  parts: FilePart[]
  /** The module or build id that distinguishes artifacts with the same metadata. */
  member?: string
  /**
   * The absolute path of the file that the user passed, if that file is not one of the parts. For example, a `.dSYM` bundle is packed into
   * an archive before the upload.
   */
  from?: string
  /** The repository, commit and paths of the sources, which are sent in the `repository` part. */
  repository?: { url: string; commit: string; files: readonly string[] }
  /** `identity` for archives that are already compressed. Default: `gzip`. */
  encoding?: 'gzip' | 'identity'
}

/** The artifacts to send, and the reasons why others are not sent. */
export interface Plan {
  uploads: SymbolUpload[]
  problems: Problem[]
}

/** The stable JSON form of a plan, as printed by `--dry-run --json`. */
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

/** Returns the total size of an upload's file parts before compression. */
export function uploadBytes(upload: SymbolUpload): number {
  return upload.parts.reduce((sum, part) => sum + part.bytes, 0)
}
