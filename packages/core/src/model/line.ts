import type { Severity } from '../problems/problems.ts'
import { printable } from './printable.ts'

/** A line of output and its severity. A terminal maps the severity to a colour, a bundler's logger to a level. */
export interface Line {
  severity: Severity | 'good'
  text: string
  /** Parts of the text that a terminal can turn into links. */
  links?: readonly Link[]
}

/** A part of a line and its target. */
export type Link =
  | { text: string; url: string }
  /** The text is a file name, relative to the project directory or absolute. */
  | { file: string }

/** A line without control sequences. */
export function printableLine({ severity, text, links }: Line): Line {
  return { severity, text: printable(text), ...(links && { links }) }
}
