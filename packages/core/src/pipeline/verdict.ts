import type { Line } from '../model/line.ts'
import { type Plan, type PlanDocument, planDocument } from '../model/plan.ts'
import { EXIT, type ExitCode, isFailure, type Report, totalsOf } from '../model/report.ts'
import { type Category, type Problem, problem } from '../problems/problems.ts'
import { SETTINGS } from '../settings/definitions.ts'
import { turboHint } from '../settings/rules.ts'
import type { Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import { exitCodeUnder, mustFail, type Policy, problemsOf, summaryUnderPolicy, underPolicy } from './policy.ts'
import { planTotals, summaryOf } from './render.ts'

/** The result of a delivery, created once by `deliver()`. */
export interface Verdict {
  /** The process's exit code: see {@link EXIT}; after a signal 130 (SIGINT) or 143 (SIGTERM). A build fails if it is not 0. */
  exitCode: number
  /** The last line. It is an error if and only if `exitCode` is not 0. */
  summary: Line
  /** As displayed under the policy: tolerated errors are warnings, ignored ones are removed. */
  problems: Problem[]
  /** The stable JSON form, independent of the policy: the report, or the plan of a dry run. */
  document: Report | PlanDocument
  /** Absent if the configuration is unusable. */
  settings?: Settings
  /** Absent if nothing was to be sent. */
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
  const summary: Line = { severity: 'error', text: t`Nothing will be uploaded: the configuration is unusable.` }
  const exitCode = policy.config === 'fail' ? EXIT.unusable : mustFail(problems, policy) ? EXIT.incomplete : EXIT.ok
  return {
    exitCode,
    summary: agreeing(summary, exitCode, problems, policy),
    problems: underPolicy(problems, policy),
    document: unsentDocument(problems, dryRun),
  }
}

/** The verdict without a key that this build does not need: nothing is sent, and it succeeds unless its output has leaks. */
export function skippedVerdict(
  found: readonly Problem[],
  { policy }: Judgement,
  dryRun: boolean,
  env: NodeJS.ProcessEnv,
): Verdict {
  const [variable] = SETTINGS.apiKey.env
  const fix = t`Set ${variable} to upload.${turboHint(env)}`
  const missing = problem('api-key-missing', t`No API key is set.`, { severity: 'warning', fix })
  const problems = [missing, ...found]
  const text = t`No API key is set, so nothing is uploaded (in CI this is an error). ${fix}`
  const exitCode = mustFail(problems, policy) ? EXIT.incomplete : EXIT.ok
  return {
    exitCode,
    summary: agreeing({ severity: 'warning', text }, exitCode, problems, policy),
    problems: underPolicy(problems, policy),
    document: unsentDocument(problems, dryRun),
  }
}

/** The proof found what the policy does not let pass, so nothing was sent. */
export function unprovenVerdict(plan: Plan, settings: Settings, { policy }: Judgement): Verdict {
  const summary: Line = { severity: 'error', text: t`Some stacks would not resolve, so nothing was uploaded.` }
  return {
    exitCode: EXIT.incomplete,
    summary: agreeing(summary, EXIT.incomplete, plan.problems, policy),
    problems: underPolicy(plan.problems, policy),
    document: emptyReport(plan),
    settings,
  }
}

/** The verdict of a dry run, including whether its problems would have failed the run. */
export function dryRunVerdict(plan: Plan, settings: Settings, judgement: Judgement): Verdict {
  return unsentVerdict(plan, settings, judgement, t`Dry run: ${planTotals(plan).text}; nothing was sent.`)
}

/** The verdict for staged artifacts. @param command uploads them later. */
export function stagedVerdict(plan: Plan, settings: Settings, judgement: Judgement, command: string): Verdict {
  return unsentVerdict(plan, settings, judgement, t`Kept ${planTotals(plan).text} to send later: ${command}`)
}

function unsentVerdict(plan: Plan, settings: Settings, judgement: Judgement, text: string): Verdict {
  const { policy } = judgement
  const isEmpty = plan.uploads.length === 0
  const fails = mustFail(plan.problems, policy)
  const ends = (): ExitCode => {
    if (fails && plan.problems.some(isConfigError)) return EXIT.unusable
    if (isEmpty && fails) return EXIT.nothingFound
    return fails || warningsCount(plan.problems, judgement) ? EXIT.incomplete : EXIT.ok
  }
  const exitCode = ends()
  const summary: Line = { severity: isEmpty && exitCode === EXIT.ok ? 'error' : 'info', text }
  return {
    exitCode,
    summary: agreeing(summary, exitCode, plan.problems, policy),
    problems: underPolicy(plan.problems, policy),
    document: planDocument(plan),
    settings,
  }
}

/** The verdict of an upload. */
export function reportVerdict(report: Report, settings: Settings, judgement: Judgement, subject?: string): Verdict {
  const { policy, failOnWarnings } = judgement
  const problems = problemsOf(report)
  const exitCode = exitCodeUnder(policy, report, { failOnWarnings })
  const summary = agreeing(summaryOf(report), exitCode, problems, policy)
  return {
    exitCode,
    summary: subject === undefined ? summary : { ...summary, text: t`${summary.text} (${subject})` },
    problems: underPolicy(problems, policy),
    document: report,
    settings,
    report,
  }
}

/** The last line agrees with the exit code, and says why where the two would surprise. */
function agreeing(summary: Line, exitCode: number, problems: readonly Problem[], policy: Policy): Line {
  // Whatever became of the upload and whatever the policy says.
  const leak = policy.leak === 'ignore' ? undefined : leakIn(problems)
  const said = leak === undefined ? summary.text : t`${summary.text} ${leak}`
  if (exitCode === EXIT.ok) {
    const passed = summaryUnderPolicy({ ...summary, text: said }, true)
    return leak === undefined || passed.severity === 'error' ? passed : { ...passed, severity: 'warning' }
  }
  if (leak !== undefined) return { severity: 'error', text: said }
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
  return t`But ${where} must not ship: do not deploy ${among.length === 1 ? 'it' : 'them'}.`
}

function whyItFails(problems: readonly Problem[], policy: Policy): string {
  const fails = (category: Category) =>
    mustFail(
      problems.filter((one) => one.category === category),
      policy,
    )
  if (fails('would-not-resolve')) return t`But some stacks would not resolve.`
  return mustFail(problems, policy) ? t`But the problems above make the run fail.` : t`But warnings count as failures.`
}

function isConfigError({ category, severity }: Problem): boolean {
  return category === 'config' && severity === 'error'
}

function warningsCount(problems: readonly Problem[], { policy, failOnWarnings }: Judgement): boolean {
  return failOnWarnings && underPolicy(problems, policy).some((one) => isFailure(one, true))
}

function unsentDocument(problems: Problem[], dryRun: boolean): Report | PlanDocument {
  const plan: Plan = { uploads: [], problems }
  return dryRun ? planDocument(plan) : emptyReport(plan)
}

function emptyReport({ problems }: Plan): Report {
  return { outcomes: [], problems, totals: totalsOf([], 0, 0) }
}
