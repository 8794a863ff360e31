import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import type { Line } from '../model/line.ts'
import { type Problem, problem } from '../problems/problems.ts'
import { endOfBuild } from './end-of-build.ts'
import { POLICIES, type Policy } from './policy.ts'
import { accepted, reportOf } from './report.fixture.ts'
import { verdictOf as judged } from './verdict.ts'

const judgingWith = (policy: Policy) => ({ policy, failOnWarnings: false, dryRun: false, settings: {} })
function verdictOf(problems: Problem[], policy: Policy = POLICIES.ci) {
  return judged({ kind: 'sent', report: reportOf([accepted], problems) }, [], judgingWith(policy))
}
const leak = (code: 'leak-api-key' | 'leak-map', file?: string) =>
  problem(code, 'It leaks.', { severity: 'error', ...(file !== undefined && { file }) })

it.each([
  [[leak('leak-api-key', 'a.js')], 'However, the API key was found in a.js, which must not be deployed.'],
  [
    [leak('leak-api-key', 'a.js'), leak('leak-api-key', 'b.js')],
    'However, the API key was found in a.js and 1 other file, which must not be deployed.',
  ],
  [
    [leak('leak-api-key', 'a.js'), leak('leak-api-key', 'b.js'), leak('leak-api-key', 'c.js')],
    'However, the API key was found in a.js and 2 other files, which must not be deployed.',
  ],
  // The last line names only the worst leak: a key is worse than a map.
  [
    [leak('leak-map', 'a.js.map'), leak('leak-api-key', 'b.js')],
    'However, the API key was found in b.js, which must not be deployed.',
  ],
  [[leak('leak-map', 'a.js.map')], 'However, a.js.map must not be deployed.'],
  [[leak('leak-map')], 'However, the output must not be deployed.'],
])('names files that must not be deployed in the last line: case %#', (problems, output) => {
  const { summary } = verdictOf(problems)
  expect(summary.severity).toBe('error')
  expect(summary.text).toContain(output)
})

it('does not mention a leak that the policy permits in the last line', () => {
  const ignoring = { ...POLICIES.ci, leak: 'ignore' } as const
  expect(verdictOf([leak('leak-api-key', 'a.js')], ignoring).summary.text).not.toContain('deploy')
})

it('ends a build with all configuration problems, without a stack trace from symup', () => {
  const problems = [problem('service-missing', 'No service is set.'), problem('version-missing', 'No version is set.')]
  const logged: Line[] = []
  const { present, conclude } = endOfBuild((line) => logged.push(line))
  const lines = problems.map(({ message }): Line => ({ severity: 'error', text: message }))
  present.show(lines, 'unusable')
  const end = () => conclude(judged({ kind: 'unusable', problems }, [], judgingWith(POLICIES.strict)))
  expect(end).toThrow('No service is set.\n  No version is set.')
  try {
    end()
  } catch (error) {
    expect(inspect(error)).toBe(`${(error as Error).name}: No service is set.\n  No version is set.`)
    expect(Object.keys(error as Error)).not.toContain('problems')
    expect((error as { problems: Problem[] }).problems).toEqual(problems)
  }
  expect(logged).toEqual([])
})

it('logs the problems and continues the build if the policy lets an invalid configuration pass', () => {
  const logged: string[] = []
  const { present, conclude } = endOfBuild(({ text }) => logged.push(text))
  present.show([{ severity: 'warning', text: 'No service is set.' }], 'unusable')
  const policy = { ...POLICIES.ci, config: 'warn' } as const
  const problems = [problem('service-missing', 'No service is set.')]
  conclude(judged({ kind: 'unusable', problems }, [], judgingWith(policy)))
  expect(logged).toEqual(['No service is set.'])
})

it('shows the last line when a build fails', () => {
  const { conclude } = endOfBuild(() => undefined)
  expect(() => conclude(verdictOf([leak('leak-api-key', 'a.js')], POLICIES.strict))).toThrow(
    'However, the API key was found in a.js, which must not be deployed.',
  )
})
