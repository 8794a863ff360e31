import type { Severity } from '../problems/problems.ts'

/** A line of output and how much it matters; the terminal colours it, a bundler's logger takes its level. */
export interface Line {
  severity: Severity | 'good'
  text: string
}
