import type { Problem, ProblemCode } from './problems.ts'
import type { Line } from './render.ts'
import { EXIT, type ExitCode, exitCodeOf, isFailure, type Report } from './report.ts'

/** Kinds of trouble that someone may want to treat differently. */
export const TROUBLES = [
  'config',
  'nothing-found',
  'invalid-artifact',
  'too-large',
  'auth',
  'network',
  'server',
] as const
export type Trouble = (typeof TROUBLES)[number]

/** `warn` shows the trouble and goes on; `ignore` leaves it out of what people read. The JSON report always holds it. */
export const POLICY_ACTIONS = ['fail', 'warn', 'ignore'] as const
export type PolicyAction = (typeof POLICY_ACTIONS)[number]

export type Policy = Readonly<Record<Trouble, PolicyAction>>

/**
 * The matrix. A mistake of the user's (config, auth) blocks under every one of them; an outage (network, server) only under `strict`.
 * - `strict`: the upload is a gate. The command's default.
 * - `ci`: what was built must be right and complete, but the intake may be away.
 * - `local`: only a mistake in the configuration. The bundler plugins' default.
 */
export const POLICIES = {
  // biome-ignore format: a matrix is read as one.
  strict: { config: 'fail', 'nothing-found': 'fail', 'invalid-artifact': 'fail', 'too-large': 'fail', auth: 'fail', network: 'fail', server: 'fail' },
  // biome-ignore format: a matrix is read as one.
  ci:     { config: 'fail', 'nothing-found': 'fail', 'invalid-artifact': 'fail', 'too-large': 'fail', auth: 'fail', network: 'warn', server: 'warn' },
  // biome-ignore format: a matrix is read as one.
  local:  { config: 'fail', 'nothing-found': 'warn', 'invalid-artifact': 'warn', 'too-large': 'warn', auth: 'fail', network: 'warn', server: 'warn' },
} as const satisfies Record<string, Policy>

export type PolicyPreset = keyof typeof POLICIES

/** What each problem is; those that are not named here are about an artifact. */
const TROUBLE_OF: Partial<Record<ProblemCode, Trouble>> = {
  'api-key-missing': 'config',
  'service-missing': 'config',
  'version-missing': 'config',
  'prefix-missing': 'config',
  'prefix-invalid': 'config',
  'value-invalid': 'config',
  'endpoint-invalid': 'config',
  'endpoint-wrong': 'config',
  'site-unknown': 'config',
  'config-file-invalid': 'config',
  'inference-failed': 'config',
  'directory-unreadable': 'config',
  'road-unusable': 'config',
  'nothing-found': 'nothing-found',
  'archive-without-maps': 'nothing-found',
  'too-large': 'too-large',
  'archive-too-large': 'too-large',
  unauthorized: 'auth',
  forbidden: 'auth',
  unreachable: 'network',
  // Its cause stands beside it, unless time ran out.
  'not-tried': 'network',
  'rate-limited': 'server',
  'server-error': 'server',
}

export function troubleOf({ code }: Problem): Trouble {
  return TROUBLE_OF[code] ?? 'invalid-artifact'
}

/** Every problem of a report, those of its outcomes included. */
export function problemsOf(report: Report): Problem[] {
  return [...report.problems, ...report.outcomes.flatMap((outcome) => (outcome.problem ? [outcome.problem] : []))]
}

/** Whether an error among the problems must not pass. */
export function mustFail(problems: readonly Problem[], policy: Policy): boolean {
  return problems.some((one) => one.severity === 'error' && policy[troubleOf(one)] === 'fail')
}

/** The problems as people are shown them: errors that may pass are warnings, those to be ignored are left out. */
export function underPolicy(problems: readonly Problem[], policy: Policy): Problem[] {
  return problems.flatMap((one): Problem[] => {
    if (one.severity !== 'error') return [one]
    const action = policy[troubleOf(one)]
    if (action === 'ignore') return []
    return [action === 'warn' ? { ...one, severity: 'warning' } : one]
  })
}

/** The last line of a run that the policy lets pass is no error, and says why. */
export function summaryUnderPolicy(summary: Line, passes: boolean): Line {
  if (summary.severity !== 'error' || !passes) return summary
  return { severity: 'warning', text: `${summary.text} The policy lets it pass.` }
}

/** The exit code that a report deserves when only what the policy says counts; `strict` makes warnings count too. */
export function exitCodeUnder(policy: Policy, report: Report, options: { strict?: boolean } = {}): ExitCode {
  const problems = problemsOf(report)
  if (mustFail(problems, policy)) {
    const isConfig = (one: Problem) => one.severity === 'error' && one.code === 'directory-unreadable'
    // A directory that is not there is a mistake in the command, not an empty build.
    return problems.some(isConfig) ? EXIT.unusable : exitCodeOf(report)
  }
  const counts = options.strict === true && underPolicy(problems, policy).some((one) => isFailure(one, true))
  return counts ? EXIT.incomplete : EXIT.ok
}

/**
 * Reads `ci`, `ci,network=fail` or `server=ignore`: a preset (default `strict`) and what differs from it.
 * @throws RangeError, whose message says what is allowed.
 */
export function parsePolicy(text: string): Policy {
  let policy: Policy = POLICIES.strict
  for (const [index, word] of text
    .split(',')
    .map((part) => part.trim())
    .entries()) {
    const [trouble = '', action] = word.split('=', 2)
    if (action === undefined && index === 0 && Object.hasOwn(POLICIES, word)) {
      policy = POLICIES[word as PolicyPreset]
    } else if ((TROUBLES as readonly string[]).includes(trouble) && isAction(action)) {
      policy = { ...policy, [trouble]: action }
    } else {
      const presets = Object.keys(POLICIES).join(', ')
      throw new RangeError(
        `"${word}" is neither a preset (${presets}) nor one of ${TROUBLES.join(', ')} with =${POLICY_ACTIONS.join(', =')}.`,
      )
    }
  }
  return policy
}

function isAction(text: string | undefined): text is PolicyAction {
  return (POLICY_ACTIONS as readonly (string | undefined)[]).includes(text)
}
