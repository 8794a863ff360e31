import type { Severity } from '../problems/problems.ts'
import { printable } from './printable.ts'

/** A line of output. A terminal maps its severity to a color, and a bundler's logger maps the severity to a level. */
export interface Line {
  severity: Severity | 'good'
  text: string
}

export function printableLine({ severity, text }: Line): Line {
  return { severity, text: printable(text) }
}
