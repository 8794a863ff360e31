import type { Severity } from '../problems/problems.ts'
import { printable } from './printable.ts'

/** A line of output and how much it matters; the terminal colours it, a bundler's logger takes its level. */
export interface Line {
  severity: Severity | 'good'
  text: string
  /** What a terminal with links may make of parts of the text. */
  links?: readonly Link[]
}

/** A part of a line, and where it leads. */
export type Link =
  | { text: string; url: string }
  /** A file's name is its place, relative to the project directory or absolute. */
  | { file: string }

/** A line of which no part can steer what shows it. */
export function printableLine({ severity, text, links }: Line): Line {
  return { severity, text: printable(text), ...(links && { links }) }
}
