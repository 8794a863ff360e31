import { EXIT, type ExitCode, isComplete, isFailure, type Report } from '../model/report.ts'
import { CATEGORIES, type Category, type Problem } from '../problems/problems.ts'
import { t } from '../text.ts'

/** `warn` shows the problem and continues. `ignore` hides it in the text output; the JSON report always contains it. */
const POLICY_ACTIONS = ['fail', 'warn', 'ignore'] as const
export type PolicyAction = (typeof POLICY_ACTIONS)[number]

export type Policy = Readonly<Record<Category, PolicyAction>>

/**
 * Decides which errors fail a run. User mistakes (config, auth) fail under every preset, and so do leaks, because a
 * deployment cannot be undone.
 * - `default`: everything must arrive. Artifacts that would not resolve are sent anyway.
 * - `strict`: like `default`, but nothing is sent if an artifact would not resolve (an error of the {@link GATE}).
 * - `ci`: the output must be right and complete, but the intake may be unavailable.
 * - `local`: only a wrong configuration fails. The bundler plugins' default.
 */
export const POLICIES = {
  // biome-ignore format: a matrix is read as one.
  default: { config: 'fail', 'nothing-found': 'fail', 'invalid-artifact': 'fail', 'too-large': 'fail', auth: 'fail', network: 'fail', server: 'fail', 'would-not-resolve': 'warn', leak: 'fail' },
  // biome-ignore format: a matrix is read as one.
  strict: { config: 'fail', 'nothing-found': 'fail', 'invalid-artifact': 'fail', 'too-large': 'fail', auth: 'fail', network: 'fail', server: 'fail', 'would-not-resolve': 'fail', leak: 'fail' },
  // biome-ignore format: a matrix is read as one.
  ci:     { config: 'fail', 'nothing-found': 'fail', 'invalid-artifact': 'fail', 'too-large': 'fail', auth: 'fail', network: 'warn', server: 'warn', 'would-not-resolve': 'warn', leak: 'fail' },
  // biome-ignore format: a matrix is read as one.
  local:  { config: 'fail', 'nothing-found': 'warn', 'invalid-artifact': 'warn', 'too-large': 'warn', auth: 'fail', network: 'warn', server: 'warn', 'would-not-resolve': 'warn', leak: 'fail' },
} as const satisfies Record<string, Policy>

export type PolicyPreset = keyof typeof POLICIES

/** The plugins' `onError` option. */
export type OnError = 'fail' | 'warn'

// biome-ignore format: a matrix is read as one.
const NOTHING_FAILS: Policy = { config: 'warn', 'nothing-found': 'warn', 'invalid-artifact': 'warn', 'too-large': 'warn', auth: 'warn', network: 'warn', server: 'warn', 'would-not-resolve': 'warn', leak: 'warn' }

/** The policy for a value of `onError`. By default, only user mistakes fail the build. */
export function policyOf(onError: OnError | undefined): Policy {
  if (onError === 'fail') return POLICIES.default
  // Any other value is invalid and must fail the build.
  return onError === 'warn' ? NOTHING_FAILS : POLICIES.local
}

/** Every problem in a report, including those in its outcomes. */
export function problemsOf(report: Report): Problem[] {
  return [...report.problems, ...report.outcomes.flatMap((outcome) => (outcome.problem ? [outcome.problem] : []))]
}

/** Whether any of the problems fails the run. */
export function mustFail(problems: readonly Problem[], policy: Policy): boolean {
  return problems.some(({ category, severity }) => severity === 'error' && policy[category] === 'fail')
}

/** The problems as displayed: failing ones are errors, tolerated ones are warnings, and ignored ones are removed. */
export function underPolicy(problems: readonly Problem[], policy: Policy): Problem[] {
  return problems.flatMap((one): Problem[] => {
    const action = policy[one.category]
    if (one.severity !== 'error' || action === 'fail') return [one]
    return action === 'ignore' ? [] : [{ ...one, severity: 'warning' }]
  })
}

/**
 * A run's exit code under a policy.
 * @param options.failOnWarnings treat warnings as failures.
 * @param options.isEmpty nothing was found to send. Default: the report has no outcome.
 */
export function exitCodeUnder(
  policy: Policy,
  report: Report,
  { failOnWarnings = false, isEmpty = report.outcomes.length === 0 } = {},
): ExitCode {
  const problems = problemsOf(report)
  if (!mustFail(problems, policy)) {
    const counts = failOnWarnings && underPolicy(problems, policy).some((one) => isFailure(one, true))
    return counts ? EXIT.incomplete : EXIT.ok
  }
  // A directory that does not exist is a mistake in the command, not an empty build.
  if (report.problems.some(({ category, severity }) => category === 'config' && severity === 'error'))
    return EXIT.unusable
  return isEmpty && isComplete(report) ? EXIT.nothingFound : EXIT.incomplete
}

/**
 * Reads `ci`, `ci,network=fail` or `server=ignore`: a preset (default `default`) and changes to it.
 * @throws RangeError whose message lists the allowed values.
 */
export function parsePolicy(text: string): Policy {
  let policy: Policy = POLICIES.default
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
        t`"${word}" is neither a preset (${presets}) nor a category (${CATEGORIES.join(', ')}) followed by =${POLICY_ACTIONS.join(', =')}.`,
      )
    }
  }
  return policy
}

function isAction(text: string | undefined): text is PolicyAction {
  return (POLICY_ACTIONS as readonly (string | undefined)[]).includes(text)
}
