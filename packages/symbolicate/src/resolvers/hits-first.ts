import { type Budget, outOfTime } from '../budget.ts'
import type { RawFrame, Reason, ResolvedFrame } from '../frames.ts'

export interface Miss {
  frame: RawFrame
  file: string
  explain(): Promise<Reason>
}

/**
 * Resolves the frames whose files were found, and then explains why the other files are missing. Explanations are slow, so each missing
 * file is explained only once.
 * @param budget limits the time for explanations. The frames that `resolve` handles have a separate budget.
 */
export async function hitsFirst<F extends RawFrame>(
  frames: readonly F[],
  budget: Budget | undefined,
  resolve: (frame: F) => Promise<ResolvedFrame | Miss>,
): Promise<ResolvedFrame[]> {
  const found: (ResolvedFrame | Miss)[] = []
  for (const frame of frames) found.push(await resolve(frame))
  const reasons = new Map<string, Reason>()
  const answers: ResolvedFrame[] = []
  for (const answer of found) {
    if (!('explain' in answer)) {
      answers.push(answer)
      continue
    }
    const { frame, file } = answer
    const why = reasons.get(file) ?? outOfTime(budget) ?? (await answer.explain())
    reasons.set(file, why)
    answers.push({ ...frame, resolved: null, reason: why })
  }
  return answers
}
