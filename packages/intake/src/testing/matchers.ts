import { isDeepStrictEqual } from 'node:util'
import type { EnrichedFrame } from '../platform/wire/enriched-frame.ts'
import { matchesUpload, type UploadFilter } from '../test-routes/room.ts'
import type { Resolved, TestIntake } from './test-intake.ts'
import { describeUploads } from './uploads.ts'

interface Verdict {
  pass: boolean
  message(): string
}

/** A place in original code; what is left out may be anything. */
export type Place = Partial<Pick<EnrichedFrame, 'file' | 'line' | 'column' | 'function'>>

/** For types: `declare module 'vitest' { interface Matchers<T> extends IntakeMatchers<T> {} }`. */
export interface IntakeMatchers<R = unknown> {
  /** Of an intake: `await expect(intake).toHaveUploaded({ service: 'shop' })`. */
  toHaveUploaded(filter?: UploadFilter): Promise<R>
  /** Of what `resolve()` returns: its first frame is there. */
  toResolveTo(place: Place): R
  /** Of what `resolve()` returns: its first frame is not resolved, for the reason with this code. */
  toBeUnresolvedBecause(code: string): R
}

/** For `expect.extend(intakeMatchers)` of Vitest, Jest and Playwright. */
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
  toResolveTo(resolved: Resolved, place: Place): Verdict {
    const frame = firstFrame(resolved)
    const isThere = Object.entries(place).every(([name, value]) =>
      isDeepStrictEqual(frame?.[name as keyof Place], value),
    )
    const pass = frame?.converted === true && isThere
    return {
      pass,
      message: () => `Expected the first frame ${pass ? 'not ' : ''}to be ${JSON.stringify(place)}. ${describe(frame)}`,
    }
  },
  toBeUnresolvedBecause(resolved: Resolved, code: string): Verdict {
    const frame = firstFrame(resolved)
    const pass = frame?.converted === false && frame.reason?.code === code
    return {
      pass,
      message: () =>
        `Expected the first frame ${pass ? 'not ' : ''}to be unresolved because of ${code}. ${describe(frame)}`,
    }
  },
}

/** @throws TypeError where somebody forgot to wait: a promise has no frames. */
function firstFrame(resolved: Partial<Resolved> | undefined): EnrichedFrame | undefined {
  if (!resolved?.frames)
    throw new TypeError('It is not what `await intake.resolve(…)` returns: is the `await` missing?')
  return resolved.frames[0]
}

function describe(frame: EnrichedFrame | undefined): string {
  if (!frame) return 'The stack has no frames.'
  const { raw, converted, file, line, column, function: name, reason } = frame
  if (converted) return `It is ${JSON.stringify({ file, line, column, function: name })}.`
  return `It is unresolved (${reason?.code}: ${reason?.message}): ${raw}`
}
