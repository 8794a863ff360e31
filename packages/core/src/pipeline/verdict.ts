import type { EndSignal } from '../early-end.ts'
import type { Line } from '../model/line.ts'
import { type Plan, type PlanDocument, planDocument } from '../model/plan.ts'
import { EXIT, type Report, totalsOf } from '../model/report.ts'
import { type Category, type Problem, problem } from '../problems/problems.ts'
import { SETTINGS } from '../settings/definitions.ts'
import { turboHint } from '../settings/rules.ts'
import type { Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import { exitCodeUnder, mustFail, type Policy, problemsOf, underPolicy } from './policy.ts'
import { planTotals, summaryOf } from './render.ts'

/** The result of a delivery. Only `deliver()` creates it. */
export interface Verdict {
  /** The process's exit code (see {@link EXIT}), or 130 after SIGINT and 143 after SIGTERM. Any code except 0 fails a build. */
  exitCode: number
  /** The last line, which is an error if and only if `exitCode` is not 0. */
  summary: Line
  /** The problems as displayed under the policy: tolerated errors are warnings, and ignored errors are omitted. */
  problems: Problem[]
  /** The report, or the plan of a dry run, in its stable JSON form. The document does not depend on the policy. */
  document: Report | PlanDocument
  /** Undefined if the configuration is unusable. */
  settings?: Settings
  /** Undefined if there was nothing to send. */
  report?: Report
  signal?: NodeJS.Signals
}

export type Ending =
  | { kind: 'sent'; report: Report; signal?: EndSignal | undefined }
  /** The settings, the proxy or the certificates are unusable. */
  | { kind: 'unusable'; problems: readonly Problem[] }
  /** The key is missing and is not required. */
  | { kind: 'skipped'; env: NodeJS.ProcessEnv }
  /** The check failed, so nothing was sent. */
  | { kind: 'unproven'; plan: Plan }
  /** The artifacts were staged, and `command` uploads them later. */
  | { kind: 'kept'; plan: Plan; command: string }
  | { kind: 'dry-run'; plan: Plan }

export interface Judging {
  policy: Policy
  failOnWarnings: boolean
  dryRun: boolean
  settings: Partial<Settings>
  subject?: ((settings: Settings) => string) | undefined
}

/** If a signal ends a process, shells report 128 plus the signal number. */
const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const

export function verdictOf(ending: Ending, found: readonly Problem[], judging: Judging): Verdict {
  const settings = judging.settings as Settings
  switch (ending.kind) {
    case 'sent':
      ending.report.problems.push(...found)
      return sentVerdict(ending, settings, judging)
    case 'unusable': {
      const problems = [...ending.problems, ...found]
      const text = t`Nothing will be uploaded because the configuration is invalid.`
      const exitCode = judging.policy.config === 'fail' ? EXIT.unusable : failureCode(problems, judging.policy)
      return unconfigured({ exitCode, summary: { severity: 'error', text }, problems }, judging)
    }
    case 'skipped': {
      const fix = t`To upload, set ${SETTINGS.apiKey.env[0]}.` + turboHint(ending.env)
      const problems = [problem('api-key-missing', t`No API key is set.`, { severity: 'warning', fix }), ...found]
      const text = t`No API key is set, so nothing is uploaded. In CI, this is an error. ${fix}`
      const exitCode = failureCode(problems, judging.policy)
      return unconfigured({ exitCode, summary: { severity: 'warning', text }, problems }, judging)
    }
    default:
      return unsentVerdict(ending, [...ending.plan.problems, ...found], settings, judging)
  }
}

function sentVerdict({ report, signal }: Ending & { kind: 'sent' }, settings: Settings, judging: Judging): Verdict {
  const { policy, failOnWarnings } = judging
  const isIgnored = ({ category }: Problem) => policy[category] === 'ignore' && category === 'would-not-resolve'
  const summary = summaryOf({ ...report, problems: report.problems.filter((one) => !isIgnored(one)) })
  const exitCode = exitCodeUnder(policy, report, { failOnWarnings })
  const problems = problemsOf(report)
  const verdict = judged({ exitCode, summary, problems, document: report, settings, report }, policy)
  const subject = judging.subject?.(settings)
  if (subject !== undefined) verdict.summary = { ...verdict.summary, text: t`${verdict.summary.text} (${subject})` }
  return signal ? { ...verdict, exitCode: SIGNAL_EXIT[signal], signal } : verdict
}

function unconfigured(verdict: Omit<Verdict, 'document'>, { policy, dryRun }: Judging): Verdict {
  const plan = { uploads: [], problems: verdict.problems }
  return judged({ ...verdict, document: dryRun ? planDocument(plan) : emptyReport(plan) }, policy)
}

/** Returns the verdict for a plan that was not sent. The verdict shows whether the plan's problems would have failed the run. */
function unsentVerdict(
  ending: Exclude<Ending, { kind: 'sent' | 'unusable' | 'skipped' }>,
  problems: Problem[],
  settings: Settings,
  { policy, failOnWarnings }: Judging,
): Verdict {
  const plan = { ...ending.plan, problems }
  if (ending.kind === 'unproven') {
    const summary: Line = { severity: 'error', text: t`Nothing was uploaded because some stacks would not resolve.` }
    return judged({ exitCode: EXIT.incomplete, summary, problems, document: emptyReport(plan), settings }, policy)
  }
  const totals = planTotals(plan).text
  const text =
    ending.kind === 'kept'
      ? t`Kept ${totals}. To upload later, run: ${ending.command}`
      : t`Dry run: would upload ${totals}.`
  const isEmpty = plan.uploads.length === 0
  const exitCode = exitCodeUnder(policy, emptyReport(plan), { failOnWarnings, isEmpty })
  const summary: Line = { severity: isEmpty && exitCode === EXIT.ok ? 'error' : 'info', text }
  return judged({ exitCode, summary, problems, document: planDocument(plan), settings }, policy)
}

function failureCode(problems: readonly Problem[], policy: Policy): number {
  return mustFail(problems, policy) ? EXIT.incomplete : EXIT.ok
}

function judged({ problems, summary, ...verdict }: Verdict, policy: Policy): Verdict {
  const line = agreeing(summary, verdict.exitCode, problems, policy)
  return { ...verdict, summary: line, problems: underPolicy(problems, policy) }
}

/** Adds leaks to the last line, and makes its severity match the exit code. */
function agreeing(summary: Line, exitCode: number, problems: readonly Problem[], policy: Policy): Line {
  // Leaks are reported whether or not the upload succeeds.
  const leak = policy.leak === 'ignore' ? undefined : leakIn(problems)
  const text = leak === undefined ? summary.text : t`${summary.text} ${leak}`
  if (exitCode === EXIT.ok) {
    if (summary.severity === 'error')
      return { severity: 'warning', text: t`${text} ${t`The policy does not treat this result as a failure.`}` }
    return leak === undefined ? summary : { severity: 'warning', text }
  }
  if (leak !== undefined) return { severity: 'error', text }
  if (summary.severity === 'error') return summary
  return { severity: 'error', text: t`${summary.text} ${whyItFails(problems, policy)}` }
}

/** Returns a sentence such as `However, the API key is in dist/main.js. Do not deploy it.` */
function leakIn(problems: readonly Problem[]): string | undefined {
  const errors = problems.filter(({ category, severity }) => category === 'leak' && severity === 'error')
  const [first] = errors
  if (first === undefined) return undefined
  const keys = errors.filter(({ code }) => code === 'leak-api-key')
  const among = keys.length > 0 ? keys : errors
  const file = among[0]?.file ?? t`the output`
  const where =
    among.length === 1 ? file : t`${file} and ${among.length - 1} other file${among.length === 2 ? '' : 's'}`
  if (keys.length > 0) return t`However, the API key was found in ${where}, which must not be deployed.`
  return t`However, ${where} must not be deployed.`
}

function whyItFails(problems: readonly Problem[], policy: Policy): string {
  const fails = (category: Category) =>
    mustFail(
      problems.filter((one) => one.category === category),
      policy,
    )
  if (fails('would-not-resolve')) return t`However, some stacks would not resolve.`
  return mustFail(problems, policy)
    ? t`The run failed because of the problems above.`
    : t`The run failed because warnings are treated as errors.`
}

function emptyReport({ problems }: Plan): Report {
  return { outcomes: [], problems, totals: totalsOf([], 0, 0) }
}
