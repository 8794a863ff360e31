import { describe, expect, it } from 'vitest'
import type { Outcome, Report } from '../model/report.ts'
import { CATEGORIES, type Category, type ProblemCode, problem } from '../problems/problems.ts'
import { exitCodeUnder, mustFail, POLICIES, parsePolicy, underPolicy } from './policy.ts'
import { accepted, event, reportOf as reportWith } from './report.fixture.ts'

const lost = (status: 'refused' | 'failed' | 'not-tried', code: ProblemCode): Outcome => ({
  event,
  status,
  attempts: 1,
  bytes: 1,
  problem: problem(code, 'It happened.'),
})

const reportOf = (outcomes: Outcome[], codes: ProblemCode[] = []): Report =>
  reportWith(
    outcomes,
    codes.map((code) => problem(code, 'It happened.')),
  )

/**
 * For each category: a report, its exit code if the category must not pass, and whether it passes under `default`,
 * `ci` and `local`.
 */
const CASES: Readonly<Record<Category, readonly [Report, number, passes: readonly [boolean, boolean, boolean]]>> = {
  config: [reportOf([], ['directory-unreadable']), 2, [false, false, false]],
  'nothing-found': [reportOf([], ['nothing-found']), 3, [false, false, true]],
  'invalid-artifact': [reportOf([accepted], ['map-missing']), 1, [false, false, true]],
  'too-large': [reportOf([accepted, lost('refused', 'too-large')]), 1, [false, false, true]],
  auth: [reportOf([lost('refused', 'unauthorized')]), 1, [false, false, false]],
  network: [reportOf([lost('failed', 'unreachable'), lost('not-tried', 'not-tried')]), 1, [false, true, true]],
  server: [reportOf([accepted, lost('failed', 'server-error')]), 1, [false, true, true]],
  'would-not-resolve': [reportOf([accepted], ['stack-too-expensive']), 1, [true, true, true]],
  leak: [reportOf([accepted], ['leak-api-key']), 1, [false, false, false]],
}

describe.each(CATEGORIES)('the policy for %s', (category) => {
  const [report, failing, passes] = CASES[category]
  const all = (action: string) => CATEGORIES.map((name) => `${name}=${action}`).join()

  it('returns the exit codes from the table under default, ci and local', () => {
    const codes = [POLICIES.default, POLICIES.ci, POLICIES.local].map((policy) => exitCodeUnder(policy, report))
    expect(codes).toEqual(passes.map((passed) => (passed ? 0 : failing)))
  })

  it('applies the policy for a category regardless of other categories', () => {
    expect(exitCodeUnder(parsePolicy(`${all('warn')},${category}=fail`), report)).toBe(failing)
    expect(exitCodeUnder(parsePolicy(`${all('fail')},${category}=warn`), report)).toBe(0)
    expect(exitCodeUnder(parsePolicy(`${all('fail')},${category}=ignore`), report)).toBe(0)
  })

  it('shows a failing problem as an error, a passing one as a warning, and hides an ignored one', () => {
    const found = [...report.problems, ...report.outcomes.flatMap((outcome) => outcome.problem ?? [])]
    const shown = (action: string) =>
      underPolicy(found, parsePolicy(`${category}=${action}`)).map(({ severity }) => severity)
    expect(new Set(shown('fail'))).toEqual(new Set(['error']))
    expect(new Set(shown('warn'))).toEqual(new Set(['warning']))
    expect(shown('ignore')).toEqual([])
  })
})

it.each([
  ['symbols-not-found', 'nothing-found'],
  ['dsym-not-found', 'nothing-found'],
  ['no-native-libraries', 'nothing-found'],
  ['arkts-map-missing', 'nothing-found'],
  ['archive-without-maps', 'nothing-found'],
  ['mapping-too-large', 'too-large'],
  ['archive-too-large', 'too-large'],
  ['proxy-or-ca-unusable', 'config'],
  ['endpoint-wrong', 'config'],
  ['variant-missing', 'config'],
  ['forbidden', 'auth'],
  ['not-tried', 'network'],
  ['rate-limited', 'server'],
  ['native-stripped', 'invalid-artifact'],
] as const)('%s passes if %s may pass', (code, category) => {
  const report = reportOf([], [code])
  expect(exitCodeUnder(parsePolicy(`strict,${category}=warn`), report)).toBe(0)
  expect(exitCodeUnder(parsePolicy(`strict,${category}=fail`), report)).not.toBe(0)
})

it('lets an outage pass under ci, but lets a typo pass under no policy', () => {
  expect(exitCodeUnder(POLICIES.ci, CASES.network[0])).toBe(0)
  for (const policy of Object.values(POLICIES)) {
    expect(exitCodeUnder(policy, reportOf([lost('refused', 'endpoint-wrong')]))).toBe(1)
    expect(mustFail([problem('endpoint-invalid', 'It is not a URL.')], policy)).toBe(true)
  }
})

it('ignores warnings and information', () => {
  const report = reportOf([accepted], ['config-field-unknown', 'map-remote', 'map-stale', 'leaks-incomplete'])
  expect(exitCodeUnder(parsePolicy(CATEGORIES.map((name) => `${name}=fail`).join()), report)).toBe(0)
  const problems = [problem('unreachable', 'a.'), problem('map-missing', 'b.'), problem('map-remote', 'c.')]
  const shown = underPolicy(problems, parsePolicy('ci,invalid-artifact=ignore'))
  expect(shown.map(({ code, severity }) => [code, severity])).toEqual([
    ['unreachable', 'warning'],
    ['map-remote', 'warning'],
  ])
})

it('counts warnings as failures on request, unless they are ignored', () => {
  const outage = CASES.network[0]
  expect(exitCodeUnder(POLICIES.ci, outage, { failOnWarnings: true })).toBe(1)
  expect(exitCodeUnder(parsePolicy('ci,network=ignore'), outage, { failOnWarnings: true })).toBe(0)
  expect(exitCodeUnder(POLICIES.strict, reportOf([accepted], ['no-map']), { failOnWarnings: true })).toBe(1)
  expect(exitCodeUnder(POLICIES.strict, reportOf([accepted], ['git-incomplete']), { failOnWarnings: true })).toBe(0)
})

it.each(['', 'CI', 'netwrk=fail', 'network=maybe', 'network', 'network=fail,ci'])('refuses the policy %j', (text) => {
  expect(() => parsePolicy(text)).toThrow(RangeError)
})
