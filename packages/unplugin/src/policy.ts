import { isComplete, type Problem, type ProblemCode, type Report } from '@symup/core'
import type { OnError } from './options.ts'

/**
 * What went wrong, as far as the decision to fail a build goes:
 * - `configuration`: nothing was tried, or the intake refused the key or is no intake. Trying again changes nothing.
 * - `delivery`: the intake was away, or refused or lost some artifacts, or some could not be prepared.
 */
type Trouble = 'none' | 'delivery' | 'configuration'

const FAILS_BUILD: Readonly<Record<OnError | 'default', readonly Trouble[]>> = {
  fail: ['configuration', 'delivery'],
  default: ['configuration'],
  warn: [],
}

const CONFIGURATION: ReadonlySet<ProblemCode> = new Set(['unauthorized', 'forbidden', 'endpoint-wrong'])

export function troubleOf(report: Report): Trouble {
  const ofOutcomes = report.outcomes.flatMap((outcome) => (outcome.problem ? [outcome.problem] : []))
  if (ofOutcomes.some(({ code }) => CONFIGURATION.has(code))) return 'configuration'
  const isError = ({ severity }: Problem) => severity === 'error'
  return isComplete(report) && !report.problems.some(isError) ? 'none' : 'delivery'
}

export function failsBuild(trouble: Trouble, onError: OnError | undefined): boolean {
  return FAILS_BUILD[onError ?? 'default'].includes(trouble)
}
