import { isDeepStrictEqual } from 'node:util'
import type { Explanation, ResolvedFrame, ResolvedPosition } from '@symup/symbolicate'
import { matchesUpload, type UploadFilter } from '../test-routes/room.ts'
import type { TestIntake } from './test-intake.ts'
import { describeUploads } from './uploads.ts'

interface Verdict {
  pass: boolean
  message(): string
}

/** Position in the original source. Omitted fields match any value. */
export type Place = Partial<Pick<ResolvedPosition, 'file' | 'line' | 'column' | 'function'>>

/** To declare the types of the matchers in Vitest, use `declare module 'vitest' { interface Matchers<T> extends IntakeMatchers<T> {} }`. */
export interface IntakeMatchers<R = unknown> {
  /** Expects that the intake has received a matching upload: `await expect(intake).toHaveUploaded({ service: 'shop' })`. */
  toHaveUploaded(filter?: UploadFilter): Promise<R>
  /** Expects that the first frame in the result of `resolve()` resolves to this position. */
  toResolveTo(place: Place): R
  /** Expects that the first frame in the result of `resolve()` is unresolved, with this code as the reason. */
  toBeUnresolvedBecause(code: string): R
}

/** Pass these matchers to `expect.extend()` in Vitest, Jest or Playwright. */
export const intakeMatchers = {
  async toHaveUploaded(intake: TestIntake, filter: UploadFilter = {}): Promise<Verdict> {
    const uploads = await intake.uploads()
    const pass = uploads.some((upload) => matchesUpload(upload, filter))
    const wanted = typeof filter === 'object' ? JSON.stringify(filter) : 'your test'
    return {
      pass,
      message: () => `Expected ${pass ? 'no' : 'an'} upload that matches ${wanted}. ${describeUploads(uploads)}`,
    }
  },
  toResolveTo(resolved: Explanation, place: Place): Verdict {
    const frame = firstFrame(resolved)
    const isThere = Object.entries(place).every(([name, value]) =>
      isDeepStrictEqual(frame?.resolved?.[name as keyof Place], value),
    )
    const pass = Boolean(frame?.resolved) && isThere
    return {
      pass,
      message: () => `Expected the first frame ${pass ? 'not ' : ''}to be ${JSON.stringify(place)}. ${describe(frame)}`,
    }
  },
  toBeUnresolvedBecause(resolved: Explanation, code: string): Verdict {
    const frame = firstFrame(resolved)
    const pass = frame?.resolved === null && frame.reason?.code === code
    return {
      pass,
      message: () =>
        `Expected the first frame ${pass ? 'not ' : ''}to be unresolved because of ${code}. ${describe(frame)}`,
    }
  },
}

/** @throws TypeError if the argument is a promise. In this case, `await` is missing in the test. */
function firstFrame(resolved: Partial<Explanation> | undefined): ResolvedFrame | undefined {
  if (!resolved?.frames)
    throw new TypeError('The value is not the result of `await intake.resolve(…)`. Is `await` missing?')
  return resolved.frames[0]
}

function describe(frame: ResolvedFrame | undefined): string {
  if (!frame) return 'The stack has no frames.'
  const { raw, resolved, reason } = frame
  if (resolved) {
    const { file, line, column, function: name } = resolved
    return `It is ${JSON.stringify({ file, line, column, function: name })}.`
  }
  return `It is unresolved because of ${reason?.code}. ${reason?.message}\n  ${raw}`
}
