import type { Severity } from '../problems/problems.ts'
import { printable } from './printable.ts'

/** A line of output. A terminal maps its severity to a color, and a bundler's logger maps the severity to a level. */
export interface Line {
  severity: Severity | 'good'
  text: string
  links?: readonly Link[]
}

export type Link =
  | { text: string; url: string }
  /** A file name that is absolute or relative to the project directory. The file name is also the link text. */
  | { file: string }

export function printableLine({ severity, text, links }: Line): Line {
  return { severity, text: printable(text), ...(links && { links }) }
}
