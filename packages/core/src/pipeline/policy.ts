import { EXIT, type ExitCode, isComplete, isFailure, type Report } from '../model/report.ts'
import { CATEGORIES, type Category, type Problem } from '../problems/problems.ts'
import { t } from '../text.ts'

/** `warn` shows the problem and continues. `ignore` hides the problem in the text output, but not in the JSON report. */
const POLICY_ACTIONS = ['fail', 'warn', 'ignore'] as const
export type PolicyAction = (typeof POLICY_ACTIONS)[number]

export type Policy = Readonly<Record<Category, PolicyAction>>

/**
 * Decides which errors fail a run. Under every preset, user mistakes (config, auth) fail the run. So do leaks, because a deployment cannot
 * be undone.
 * - `default`: Everything must arrive. Artifacts that would not resolve are sent anyway.
 * - `strict`: Like `default`, but nothing is sent if an artifact would not resolve (an error in the {@link GATE}).
 * - `ci`: The output must be correct and complete, but the intake may be unavailable.
 * - `local`: Only a wrong configuration, a rejected key or a leak fails the run. `local` is the default for the bundler plugins.
 */
export const POLICIES = {
  // biome-ignore format: The columns are aligned.
  default: { config: 'fail', 'nothing-found': 'fail', 'invalid-artifact': 'fail', 'too-large': 'fail', auth: 'fail', network: 'fail', server: 'fail', 'would-not-resolve': 'warn', leak: 'fail' },
  // biome-ignore format: The columns are aligned.
  strict: { config: 'fail', 'nothing-found': 'fail', 'invalid-artifact': 'fail', 'too-large': 'fail', auth: 'fail', network: 'fail', server: 'fail', 'would-not-resolve': 'fail', leak: 'fail' },
  // biome-ignore format: The columns are aligned.
  ci:     { config: 'fail', 'nothing-found': 'fail', 'invalid-artifact': 'fail', 'too-large': 'fail', auth: 'fail', network: 'warn', server: 'warn', 'would-not-resolve': 'warn', leak: 'fail' },
  // biome-ignore format: The columns are aligned.
  local:  { config: 'fail', 'nothing-found': 'warn', 'invalid-artifact': 'warn', 'too-large': 'warn', auth: 'fail', network: 'warn', server: 'warn', 'would-not-resolve': 'warn', leak: 'fail' },
} as const satisfies Record<string, Policy>

export type PolicyPreset = keyof typeof POLICIES

/** What to do on errors: see the option `onError`. */
export type OnError = 'fail' | 'warn'

// biome-ignore format: The columns are aligned.
const NOTHING_FAILS: Policy = { config: 'warn', 'nothing-found': 'warn', 'invalid-artifact': 'warn', 'too-large': 'warn', auth: 'warn', network: 'warn', server: 'warn', 'would-not-resolve': 'warn', leak: 'warn' }

export function policyOf(onError: OnError | undefined): Policy {
  if (onError === 'fail') return POLICIES.default
  // If the value of `onError` is invalid, the resulting error must fail the build.
  return onError === 'warn' ? NOTHING_FAILS : POLICIES.local
}

export function problemsOf(report: Report): Problem[] {
  return [...report.problems, ...report.outcomes.flatMap((outcome) => (outcome.problem ? [outcome.problem] : []))]
}

export function mustFail(problems: readonly Problem[], policy: Policy): boolean {
  return problems.some(({ category, severity }) => severity === 'error' && policy[category] === 'fail')
}

/**
 * Returns the problems as they are displayed. Problems that fail the run become errors, tolerated problems become warnings, and ignored
 * problems are removed.
 */
export function underPolicy(problems: readonly Problem[], policy: Policy): Problem[] {
  return problems.flatMap((one): Problem[] => {
    const action = policy[one.category]
    if (one.severity !== 'error' || action === 'fail') return [one]
    return action === 'ignore' ? [] : [{ ...one, severity: 'warning' }]
  })
}

/**
 * Returns the exit code of a run under a policy.
 * @param options.failOnWarnings whether warnings count as failures.
 * @param options.isEmpty whether nothing was found to send. Default: true if the report has no outcome.
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
  // A missing directory is a mistake in the command, not an empty build.
  if (report.problems.some(({ category, severity }) => category === 'config' && severity === 'error'))
    return EXIT.unusable
  return isEmpty && isComplete(report) ? EXIT.nothingFound : EXIT.incomplete
}

/**
 * Parses a policy such as `ci`, `ci,network=fail` or `server=ignore`. A policy consists of a preset and changes to it. If the preset is
 * omitted, `default` is used.
 * @throws RangeError with a message that lists the allowed values.
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
