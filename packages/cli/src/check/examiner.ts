import type { CheckedFile, Line, Problem, Secret } from '@symup/core'

/** What `symup check` was pointed at. */
export interface CheckTarget {
  /** Absolute. */
  directory: string
  /** Files to look at, relative to the directory, `/`-separated. */
  files: readonly string[]
  /** Whether it is a single file that was asked about; `files` then holds it and the maps around it. */
  single: boolean
  /** Files in findings are named relative to it. */
  cwd: string
  /** The key that must not ship, where one is set. */
  apiKey?: Secret
}

/** What one examiner found; `summary` lines are printed after the table. */
export interface Findings {
  files: CheckedFile[]
  problems: Problem[]
  summary: Line[]
}

/** Looks at the files of its kind and passes over all others. A kind of symbol file adds its own to the list in `examiners.ts`. */
export type Examiner = (target: CheckTarget) => Promise<Findings>
