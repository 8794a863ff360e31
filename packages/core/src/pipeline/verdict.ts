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
  /**
   * The process's exit code: see {@link EXIT}; after a signal, 130 (SIGINT) or 143 (SIGTERM). Any code except 0 fails a
   * build.
   */
  exitCode: number
  /** The last line. It is an error if and only if `exitCode` is not 0. */
  summary: Line
  /** As displayed under the policy: tolerated errors are warnings, ignored errors are omitted. */
  problems: Problem[]
  /** The stable JSON form, independent of the policy: the report, or the plan of a dry run. */
  document: Report | PlanDocument
  /** Absent if the configuration is unusable. */
  settings?: Settings
  /** Absent if there was nothing to send. */
  report?: Report
  /** The signal that ended the run early. */
  signal?: NodeJS.Signals
}

/** The input for a verdict. */
export interface Judgement {
  policy: Policy
  /** Warnings count as failures. */
  failOnWarnings: boolean
}

/** The verdict for an unusable configuration: nothing was or will be sent. */
export function unusableVerdict(problems: Problem[], { policy }: Judgement, dryRun: boolean): Verdict {
  const text = t`Nothing will be uploaded: the configuration is unusable.`
  const exitCode = policy.config === 'fail' ? EXIT.unusable : mustFail(problems, policy) ? EXIT.incomplete : EXIT.ok
  const document = unsentDocument({ uploads: [], problems }, dryRun)
  return judged({ exitCode, summary: { severity: 'error', text }, problems, document }, policy)
}

/**
 * The verdict for a missing key that this build does not need: nothing is sent, and the build succeeds unless its
 * output has leaks.
 */
export function skippedVerdict(
  found: readonly Problem[],
  { policy }: Judgement,
  dryRun: boolean,
  env: NodeJS.ProcessEnv,
): Verdict {
  const [variable] = SETTINGS.apiKey.env
  const fix = t`Set ${variable} to upload.${turboHint(env)}`
  const problems = [problem('api-key-missing', t`No API key is set.`, { severity: 'warning', fix }), ...found]
  const text = t`No API key is set, so nothing is uploaded (in CI this is an error). ${fix}`
  const exitCode = mustFail(problems, policy) ? EXIT.incomplete : EXIT.ok
  const document = unsentDocument({ uploads: [], problems }, dryRun)
  return judged({ exitCode, summary: { severity: 'warning', text }, problems, document }, policy)
}

/** The verdict if the policy rejects findings of the check, so that nothing is sent. */
export function unprovenVerdict(plan: Plan, settings: Settings, { policy }: Judgement): Verdict {
  const summary: Line = { severity: 'error', text: t`Some stacks would not resolve, so nothing was uploaded.` }
  const { problems } = plan
  return judged({ exitCode: EXIT.incomplete, summary, problems, document: emptyReport(plan), settings }, policy)
}

/** The verdict of a dry run. It also states whether the problems would have failed the run. */
export function dryRunVerdict(plan: Plan, settings: Settings, judgement: Judgement): Verdict {
  return unsentVerdict(plan, settings, judgement, t`Dry run: ${planTotals(plan).text}; nothing was sent.`)
}

/**
 * The verdict for staged artifacts.
 * @param command uploads them later.
 */
export function stagedVerdict(plan: Plan, settings: Settings, judgement: Judgement, command: string): Verdict {
  return unsentVerdict(plan, settings, judgement, t`Kept ${planTotals(plan).text} to send later: ${command}`)
}

function unsentVerdict(plan: Plan, settings: Settings, { policy, failOnWarnings }: Judgement, text: string): Verdict {
  const isEmpty = plan.uploads.length === 0
  const exitCode = exitCodeUnder(policy, emptyReport(plan), { failOnWarnings, isEmpty })
  const summary: Line = { severity: isEmpty && exitCode === EXIT.ok ? 'error' : 'info', text }
  return judged({ exitCode, summary, problems: plan.problems, document: planDocument(plan), settings }, policy)
}

/** The verdict of an upload. */
export function reportVerdict(report: Report, settings: Settings, judgement: Judgement, subject?: string): Verdict {
  const { policy, failOnWarnings } = judgement
  const isIgnored = ({ category }: Problem) => policy[category] === 'ignore' && category === 'would-not-resolve'
  const summary = summaryOf({ ...report, problems: report.problems.filter((one) => !isIgnored(one)) })
  const exitCode = exitCodeUnder(policy, report, { failOnWarnings })
  const verdict = judged(
    { exitCode, summary, problems: problemsOf(report), document: report, settings, report },
    policy,
  )
  if (subject === undefined) return verdict
  return { ...verdict, summary: { ...verdict.summary, text: t`${verdict.summary.text} (${subject})` } }
}

function judged({ problems, summary, ...verdict }: Verdict, policy: Policy): Verdict {
  const line = agreeing(summary, verdict.exitCode, problems, policy)
  return { ...verdict, summary: line, problems: underPolicy(problems, policy) }
}

/** Makes the last line agree with the exit code, and explains surprising combinations. */
function agreeing(summary: Line, exitCode: number, problems: readonly Problem[], policy: Policy): Line {
  // A leak is reported whatever the result of the upload.
  const leak = policy.leak === 'ignore' ? undefined : leakIn(problems)
  const text = leak === undefined ? summary.text : t`${summary.text} ${leak}`
  if (exitCode === EXIT.ok) {
    if (summary.severity === 'error') return { severity: 'warning', text: t`${text} The policy allows this.` }
    return leak === undefined ? summary : { severity: 'warning', text }
  }
  if (leak !== undefined) return { severity: 'error', text }
  if (summary.severity === 'error') return summary
  return { severity: 'error', text: t`${summary.text} ${whyItFails(problems, policy)}` }
}

/** `But the API key is in dist/main.js: do not deploy it.` */
function leakIn(problems: readonly Problem[]): string | undefined {
  const errors = problems.filter(({ category, severity }) => category === 'leak' && severity === 'error')
  const [first] = errors
  if (first === undefined) return undefined
  const keys = errors.filter(({ code }) => code === 'leak-api-key')
  const among = keys.length > 0 ? keys : errors
  const others = among.length === 1 ? '' : t` and ${among.length - 1} other file${among.length === 2 ? '' : 's'}`
  const where = `${among[0]?.file ?? t`the output`}${others}`
  if (keys.length > 0) return t`But the API key is in ${where}: do not deploy ${among.length === 1 ? 'it' : 'them'}.`
  return t`But ${where} must not be deployed.`
}

function whyItFails(problems: readonly Problem[], policy: Policy): string {
  const fails = (category: Category) =>
    mustFail(
      problems.filter((one) => one.category === category),
      policy,
    )
  if (fails('would-not-resolve')) return t`But some stacks would not resolve.`
  return mustFail(problems, policy)
    ? t`But the run fails because of the problems above.`
    : t`But warnings count as failures.`
}

function unsentDocument(plan: Plan, dryRun: boolean): Report | PlanDocument {
  return dryRun ? planDocument(plan) : emptyReport(plan)
}

function emptyReport({ problems }: Plan): Report {
  return { outcomes: [], problems, totals: totalsOf([], 0, 0) }
}
