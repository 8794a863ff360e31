import { mustFail, POLICIES, type Policy, type Problem, problemsOf, type Report } from '@symup/core'
import type { OnError } from './options.ts'

const POLICY_OF: Readonly<Record<OnError | 'default', Policy>> = {
  fail: POLICIES.strict,
  default: POLICIES.local,
  // biome-ignore format: a matrix is read as one.
  warn: { config: 'warn', 'nothing-found': 'warn', 'invalid-artifact': 'warn', 'too-large': 'warn', auth: 'warn', network: 'warn', server: 'warn' },
}

/** Whether what went wrong fails the build: the problems of a report, or those of the configuration. */
export function failsBuild(trouble: Report | readonly Problem[], onError: OnError | undefined): boolean {
  const problems = 'outcomes' in trouble ? problemsOf(trouble) : trouble
  return mustFail(problems, POLICY_OF[onError ?? 'default'])
}
