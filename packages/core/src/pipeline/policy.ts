import type { Line } from '../model/line.ts'
import { EXIT, type ExitCode, exitCodeOf, isFailure, type Report } from '../model/report.ts'
import { CATEGORIES, type Category, type Problem } from '../problems/problems.ts'
import { t } from '../text.ts'

/** `warn` shows the problem and continues; `ignore` hides it from people. The JSON report always contains it. */
const POLICY_ACTIONS = ['fail', 'warn', 'ignore'] as const
export type PolicyAction = (typeof POLICY_ACTIONS)[number]

export type Policy = Readonly<Record<Category, PolicyAction>>

/**
 * The matrix. A mistake of the user's (config, auth) fails under every preset; an outage (network, server) only under `strict`.
 * What the proof finds is shown under each of them and fails none: whoever wants that names the category. A leak that is an error fails under
 * each, because a deployment cannot be undone; one that may be meant is a warning.
 * - `strict`: the upload is a gate. The command's default.
 * - `ci`: what was built must be right and complete, but the intake may be away.
 * - `local`: only a mistake in the configuration. The bundler plugins' default.
 */
export const POLICIES = {
  // biome-ignore format: a matrix is read as one.
  strict: { config: 'fail', 'nothing-found': 'fail', 'invalid-artifact': 'fail', 'too-large': 'fail', auth: 'fail', network: 'fail', server: 'fail', 'would-not-resolve': 'warn', leak: 'fail' },
  // biome-ignore format: a matrix is read as one.
  ci:     { config: 'fail', 'nothing-found': 'fail', 'invalid-artifact': 'fail', 'too-large': 'fail', auth: 'fail', network: 'warn', server: 'warn', 'would-not-resolve': 'warn', leak: 'fail' },
  // biome-ignore format: a matrix is read as one.
  local:  { config: 'fail', 'nothing-found': 'warn', 'invalid-artifact': 'warn', 'too-large': 'warn', auth: 'fail', network: 'warn', server: 'warn', 'would-not-resolve': 'warn', leak: 'fail' },
} as const satisfies Record<string, Policy>

export type PolicyPreset = keyof typeof POLICIES

/** The plugins' option `onError`. */
export type OnError = 'fail' | 'warn'

// biome-ignore format: a matrix is read as one.
const NOTHING_FAILS: Policy = { config: 'warn', 'nothing-found': 'warn', 'invalid-artifact': 'warn', 'too-large': 'warn', auth: 'warn', network: 'warn', server: 'warn', 'would-not-resolve': 'warn', leak: 'warn' }

/** The policy for a value of `onError`. By default only the user's mistakes fail the build. */
export function policyOf(onError: OnError | undefined): Policy {
  if (onError === 'fail') return POLICIES.strict
  // Any other value has been refused as such; that must fail the build.
  return onError === 'warn' ? NOTHING_FAILS : POLICIES.local
}

/** Problems of this category are warnings, as the upload itself can go on; in all others a policy is about errors. */
const FINDINGS: ReadonlySet<Category> = new Set(['would-not-resolve'])

function isGoverned({ category, severity }: Problem): boolean {
  return severity === 'error' || (severity === 'warning' && FINDINGS.has(category))
}

/** Every problem of a report, including those of its outcomes. */
export function problemsOf(report: Report): Problem[] {
  return [...report.problems, ...report.outcomes.flatMap((outcome) => (outcome.problem ? [outcome.problem] : []))]
}

/** Whether any of the problems fails the run. */
export function mustFail(problems: readonly Problem[], policy: Policy): boolean {
  return problems.some((one) => isGoverned(one) && policy[one.category] === 'fail')
}

/** The problems as displayed: failing ones are errors, tolerated ones are warnings, and ignored ones are removed. */
export function underPolicy(problems: readonly Problem[], policy: Policy): Problem[] {
  return problems.flatMap((one): Problem[] => {
    if (!isGoverned(one)) return [one]
    const action = policy[one.category]
    return action === 'ignore' ? [] : [{ ...one, severity: action === 'fail' ? 'error' : 'warning' }]
  })
}

/** The last line of a run that the policy lets pass is not an error, and says why. */
export function summaryUnderPolicy(summary: Line, passes: boolean): Line {
  if (summary.severity !== 'error' || !passes) return summary
  return { severity: 'warning', text: t`${summary.text} The policy lets it pass.` }
}

/** The exit code that a report deserves when only what the policy says counts; with `failOnWarnings` warnings count too. */
export function exitCodeUnder(
  policy: Policy,
  report: Report,
  { failOnWarnings = false }: { failOnWarnings?: boolean } = {},
): ExitCode {
  const problems = problemsOf(report)
  if (mustFail(problems, policy)) {
    // A directory that is not there is a mistake in the command, not an empty build.
    const isUnusable = report.problems.some(({ category, severity }) => category === 'config' && severity === 'error')
    if (isUnusable) return EXIT.unusable
    const code = exitCodeOf(report)
    return code === EXIT.ok ? EXIT.incomplete : code
  }
  const counts = underPolicy(problems, policy).some((one) => isFailure(one, failOnWarnings))
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
    const [category = '', action] = word.split('=', 2)
    if (action === undefined && index === 0 && Object.hasOwn(POLICIES, word)) {
      policy = POLICIES[word as PolicyPreset]
    } else if ((CATEGORIES as readonly string[]).includes(category) && isAction(action)) {
      policy = { ...policy, [category]: action }
    } else {
      const presets = Object.keys(POLICIES).join(', ')
      throw new RangeError(
        t`"${word}" is neither a preset (${presets}) nor one of ${CATEGORIES.join(', ')} with =${POLICY_ACTIONS.join(', =')}.`,
      )
    }
  }
  return policy
}

function isAction(text: string | undefined): text is PolicyAction {
  return (POLICY_ACTIONS as readonly (string | undefined)[]).includes(text)
}
