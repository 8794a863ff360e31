import type { EndSignal } from '../early-end.ts'
import { isInCi } from '../git/ci-variables.ts'
import type { Line } from '../model/line.ts'
import type { Plan } from '../model/plan.ts'
import { isComplete, type Report } from '../model/report.ts'
import type { Problem, ProblemCode } from '../problems/problems.ts'
import type { Settings } from '../settings/settings.ts'
import type { CleanedUp } from './clean-up.ts'
import type { DeliveryInput } from './delivery.ts'
import { problemsOf, underPolicy } from './policy.ts'
import { renderProblems } from './render.ts'
import {
  dryRunVerdict,
  type Judgement,
  reportVerdict,
  skippedVerdict,
  stagedVerdict,
  unprovenVerdict,
  unusableVerdict,
  type Verdict,
} from './verdict.ts'

/** How a run ended, before its clean-up. */
export type Ending =
  | { kind: 'sent'; report: Report; signal?: EndSignal | undefined }
  /** The settings, the proxy or the certificates are unusable. */
  | { kind: 'unusable'; problems: readonly Problem[] }
  /** There is no key, and this build does not need one. */
  | { kind: 'skipped'; env: NodeJS.ProcessEnv }
  /** The check failed, so nothing was sent. */
  | { kind: 'unproven'; plan: Plan }
  /** The artifacts were staged. This command uploads them later. */
  | { kind: 'kept'; plan: Plan; command: string }
  | { kind: 'dry-run'; plan: Plan }

export function unusableEnding(problems: readonly Problem[], input: DeliveryInput): Ending {
  if (isSkipped(input, problems)) return { kind: 'skipped', env: input.settings.env ?? process.env }
  return { kind: 'unusable', problems }
}

/** Settings that are only missing, not wrong. CI has them, so a build without a key can ignore them. */
const ABSENT: ReadonlySet<ProblemCode> = new Set([
  'api-key-missing',
  'service-missing',
  'version-missing',
  'prefix-missing',
  'inference-failed',
])

/** Without a key nothing is sent, so other missing settings do not matter. Wrong settings do. */
function isSkipped({ keyRequired, settings }: DeliveryInput, problems: readonly Problem[]): boolean {
  const required = keyRequired ?? (settings.adapter === 'cli' || isInCi(settings.env ?? process.env))
  const errors = problems.filter(({ severity }) => severity === 'error')
  return (
    !required && errors.some(({ code }) => code === 'api-key-missing') && errors.every(({ code }) => ABSENT.has(code))
  )
}

export interface Judging extends Judgement {
  dryRun: boolean
  settings: Partial<Settings>
  subject: DeliveryInput['subject']
}

/** Exit codes after a signal. */
const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const

/** The verdict of a run, and the lines to show before the last one: problems, and results of the clean-up. */
export function judge(
  ending: Ending,
  { problems: unclean, lines: cleanUpLines, leaks }: CleanedUp,
  judging: Judging,
): { verdict: Verdict; lines: Line[]; cleanUpLines: Line[] } {
  // The leak guard renders its own lines.
  const lines = renderProblems(underPolicy(problemsIn(ending, unclean), judging.policy))
  const verdict = verdictOf(ending, [...unclean, ...leaks.problems], judging)
  // Maps that will still be sent do not count as leaks yet.
  const isOver = ending.kind === 'kept' || (ending.kind === 'sent' && isComplete(ending.report))
  const leaked = isOver || leaks.problems.length > 0 ? leaks.lines : []
  return { verdict, lines, cleanUpLines: [...cleanUpLines, ...leaked] }
}

function problemsIn(ending: Ending, unclean: readonly Problem[]): Problem[] {
  switch (ending.kind) {
    case 'sent':
      return problemsOf({ ...ending.report, problems: [...ending.report.problems, ...unclean] })
    case 'unusable':
      return [...ending.problems, ...unclean]
    case 'skipped':
      return [...unclean]
    default:
      return [...ending.plan.problems, ...unclean]
  }
}

function verdictOf(ending: Ending, found: readonly Problem[], judging: Judging): Verdict {
  const settings = judging.settings as Settings
  const planned = (plan: Plan): Plan => ({ ...plan, problems: [...plan.problems, ...found] })
  switch (ending.kind) {
    case 'sent': {
      ending.report.problems.push(...found)
      const verdict = reportVerdict(ending.report, settings, judging, judging.subject?.(settings))
      const { signal } = ending
      return signal ? { ...verdict, exitCode: SIGNAL_EXIT[signal], signal } : verdict
    }
    case 'unusable':
      return unusableVerdict([...ending.problems, ...found], judging, judging.dryRun)
    case 'skipped':
      return skippedVerdict(found, judging, judging.dryRun, ending.env)
    case 'unproven':
      return unprovenVerdict(planned(ending.plan), settings, judging)
    case 'kept':
      return stagedVerdict(planned(ending.plan), settings, judging, ending.command)
    case 'dry-run':
      return dryRunVerdict(planned(ending.plan), settings, judging)
  }
}
