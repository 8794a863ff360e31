import { type Outcome, type Report, totalsOf } from '../model/report.ts'
import type { Problem } from '../problems/problems.ts'

export const event = {
  type: 'js_sourcemap',
  cli_version: '1',
  service: 's',
  version: '1',
  minified_url: '/a.js',
  project_path: '',
} as const

export const accepted: Outcome = { event, status: 'accepted', attempts: 1, bytes: 1 }

export function reportOf(outcomes: Outcome[], problems: Problem[] = []): Report {
  return { outcomes, problems, totals: totalsOf(outcomes, 0, 0) }
}
