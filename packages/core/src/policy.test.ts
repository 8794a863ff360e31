import { describe, expect, it } from 'vitest'
import { exitCodeUnder, mustFail, POLICIES, parsePolicy, TROUBLES, troubleOf, underPolicy } from './policy.ts'
import { PROBLEMS, type ProblemCode, problem } from './problems.ts'
import { type Outcome, type Report, totalsOf } from './report.ts'

const event = {
  type: 'js_sourcemap',
  cli_version: '1',
  service: 's',
  version: '1',
  minified_url: '/a.js',
  project_path: '',
} as const
const accepted: Outcome = { event, status: 'accepted', attempts: 1, bytes: 1 }
const lost = (status: 'refused' | 'failed' | 'not-tried', code: ProblemCode): Outcome => ({
  event,
  status,
  attempts: 1,
  bytes: 1,
  problem: problem(code, 'It happened.'),
})

function reportOf(outcomes: Outcome[], codes: ProblemCode[] = []): Report {
  return { outcomes, problems: codes.map((code) => problem(code, 'It happened.')), totals: totalsOf(outcomes, 0, 0) }
}

/** A report for each kind of trouble, and the exit code that it has when it may not pass. */
const REPORTS = {
  config: [reportOf([], ['directory-unreadable', 'nothing-found']), 2],
  'nothing-found': [reportOf([], ['nothing-found']), 3],
  'invalid-artifact': [reportOf([accepted], ['map-missing']), 1],
  'too-large': [reportOf([accepted, lost('refused', 'too-large')]), 1],
  auth: [reportOf([lost('refused', 'unauthorized'), lost('not-tried', 'not-tried')]), 1],
  network: [reportOf([lost('failed', 'unreachable'), lost('not-tried', 'not-tried')]), 1],
  server: [reportOf([accepted, lost('failed', 'server-error')]), 1],
} as const

describe.each(TROUBLES)('%s', (trouble) => {
  const [report, failing] = REPORTS[trouble]

  it.each(['strict', 'ci', 'local'] as const)('under %s ends as the matrix says', (preset) => {
    expect(exitCodeUnder(POLICIES[preset], report)).toBe(POLICIES[preset][trouble] === 'fail' ? failing : 0)
  })

  it('alone decides, whatever the others do', () => {
    const all = (action: string) => TROUBLES.map((name) => `${name}=${action}`).join()
    expect(exitCodeUnder(parsePolicy(`${all('warn')},${trouble}=fail`), report)).toBe(failing)
    expect(exitCodeUnder(parsePolicy(`${all('ignore')}`), report)).toBe(0)
  })
})

it('lets an outage pass under ci, and a typo under none', () => {
  expect(exitCodeUnder(POLICIES.ci, REPORTS.network[0])).toBe(0)
  for (const policy of Object.values(POLICIES)) {
    expect(exitCodeUnder(policy, reportOf([lost('refused', 'endpoint-wrong')]))).toBe(1)
    expect(mustFail([problem('endpoint-invalid', 'It is no URL.')], policy)).toBe(true)
  }
})

it('shows errors that may pass as warnings, and not at all what is ignored', () => {
  const problems = [
    problem('unreachable', 'a.'),
    problem('server-error', 'b.'),
    problem('map-missing', 'c.'),
    problem('no-map', 'd.'),
  ]
  const shown = underPolicy(problems, parsePolicy('ci,server=ignore'))
  expect(shown.map(({ code, severity }) => [code, severity])).toEqual([
    ['unreachable', 'warning'],
    ['map-missing', 'error'],
    ['no-map', 'warning'],
  ])
})

it('counts warnings under strict, unless they are ignored', () => {
  const outage = REPORTS.network[0]
  expect(exitCodeUnder(POLICIES.ci, outage, { strict: true })).toBe(1)
  expect(exitCodeUnder(parsePolicy('ci,network=ignore'), outage, { strict: true })).toBe(0)
  expect(exitCodeUnder(POLICIES.strict, reportOf([accepted], ['no-map']), { strict: true })).toBe(1)
})

it.each(['', 'CI', 'netwrk=fail', 'network=maybe', 'network', 'network=fail,ci'])('refuses %j', (text) => {
  expect(() => parsePolicy(text)).toThrow(RangeError)
})

it('knows what every problem is', () => {
  for (const code of Object.keys(PROBLEMS) as ProblemCode[]) expect(TROUBLES).toContain(troubleOf(problem(code, 'x.')))
})
