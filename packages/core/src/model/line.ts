import type { Severity } from '../problems/problems.ts'
import { printable } from './printable.ts'

/** A line of output and how much it matters; the terminal colours it, a bundler's logger takes its level. */
export interface Line {
  severity: Severity | 'good'
  text: string
}

/** A line of which no part can steer what shows it. */
export function printableLine({ severity, text }: Line): Line {
  return { severity, text: printable(text) }
}
