import type { EndSignal } from '../early-end.ts'
import { isInCi } from '../git/ci-variables.ts'
import { isScriptPath } from '../kinds/index.ts'
import type { Line } from '../model/line.ts'
import { isComplete } from '../model/report.ts'
import type { Problem, ProblemCode } from '../problems/problems.ts'
import { t } from '../text.ts'
import type { CleanedUp, ClearedMaps } from './clean-up.ts'
import type { DeliveryInput } from './delivery.ts'
import { problemsOf, underPolicy } from './policy.ts'
import { renderProblems } from './render.ts'
import { type Ending, type Judging, type Verdict, verdictOf } from './verdict.ts'

export function unusableEnding(problems: readonly Problem[], input: DeliveryInput): Ending {
  if (isSkipped(input, problems)) return { kind: 'skipped', env: input.settings.env ?? process.env }
  return { kind: 'unusable', problems }
}

/** Errors for missing settings. Many users configure these settings only in CI, so the errors are ignored in a build without an API key. */
const ABSENT: ReadonlySet<ProblemCode> = new Set([
  'api-key-missing',
  'service-missing',
  'version-missing',
  'prefix-missing',
  'inference-failed',
])

/**
 * Tests whether the upload is skipped because the API key is missing. Other missing settings are then ignored, but invalid settings are
 * not.
 */
function isSkipped({ keyRequired, settings }: DeliveryInput, problems: readonly Problem[]): boolean {
  const required = keyRequired ?? (settings.adapter === 'cli' || isInCi(settings.env ?? process.env))
  const errors = problems.filter(({ severity }) => severity === 'error')
  return (
    !required && errors.some(({ code }) => code === 'api-key-missing') && errors.every(({ code }) => ABSENT.has(code))
  )
}

export function judge(
  ending: Ending,
  { problems: unclean, lines: cleanUpLines, leaks }: CleanedUp,
  judging: Judging,
): { verdict: Verdict; lines: Line[]; cleanUpLines: Line[] } {
  // The leak guard renders its own problems.
  const lines = renderProblems(underPolicy(problemsIn(ending, unclean), judging.policy))
  const verdict = verdictOf(ending, [...unclean, ...leaks.problems], judging)
  // Maps that will still be sent are not treated as leaks.
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

export function earlyEndText(cause: 'exit' | EndSignal, { gone, staged }: ClearedMaps): string {
  const what = cause === 'exit' ? t`process.exit() was called` : cause
  const text = t`The process ended before the upload finished (${what}).`
  if (gone.length === 0) return text
  const removed = t`${text} ${t`symup removed ${gone.length} source map${gone.length === 1 ? '' : 's'} from the output.`}`
  const isLost = staged.length === 0 && gone.some((path) => isScriptPath(path.replace(/\.map$/, '')))
  return isLost ? t`${removed} ${t`To upload the source maps, build again.`}` : removed
}
