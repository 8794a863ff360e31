import { type Budget, outOfTime } from '../budget.ts'
import type { RawFrame, Reason, ResolvedFrame } from '../frames.ts'

/** A frame of a file that nobody uploaded, and what finds out why. */
export interface Miss {
  frame: RawFrame
  explain(): Promise<Reason>
}

/**
 * Resolves frames. Why a file is missing takes much longer to find out than what an uploaded file says: misses are explained when all other
 * frames are resolved, each file once.
 * @param budget of the misses; `resolve` looks at it itself.
 * @param fileOf names the file of a frame.
 */
export async function hitsFirst<F extends RawFrame>(
  frames: readonly F[],
  budget: Budget | undefined,
  fileOf: (frame: F) => string,
  resolve: (frame: F) => ResolvedFrame | Miss | Promise<ResolvedFrame | Miss>,
): Promise<ResolvedFrame[]> {
  const found: (ResolvedFrame | Miss)[] = []
  for (const frame of frames) found.push(await resolve(frame))
  const reasons = new Map<string, Reason>()
  const answers: ResolvedFrame[] = []
  for (const [nth, answer] of found.entries()) {
    if (!('explain' in answer)) {
      answers.push(answer)
      continue
    }
    const file = fileOf(frames[nth] as F)
    const why = reasons.get(file) ?? outOfTime(budget) ?? (await answer.explain())
    reasons.set(file, why)
    answers.push({ ...answer.frame, resolved: null, reason: why })
  }
  return answers
}
