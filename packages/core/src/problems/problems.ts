import { translated } from '../text.ts'
import { AUTH } from './auth.ts'
import { CONFIG } from './config.ts'
import type { Category, ProblemDefinition, Severity } from './define.ts'
import { docsUrl } from './docs-url.ts'
import { INVALID_ARTIFACT } from './invalid-artifact.ts'
import { LEAK } from './leak.ts'
import { NETWORK } from './network.ts'
import { NOTHING_FOUND } from './nothing-found.ts'
import { SERVER } from './server.ts'
import { TOO_LARGE } from './too-large.ts'
import { WOULD_NOT_RESOLVE } from './would-not-resolve.ts'

export { CATEGORIES, type Category, type Severity } from './define.ts'

/** Every expected problem, listed once. A problem is data in a plan or a report, not an exception. */
export const PROBLEMS = {
  ...CONFIG,
  ...NOTHING_FOUND,
  ...INVALID_ARTIFACT,
  ...TOO_LARGE,
  ...AUTH,
  ...NETWORK,
  ...SERVER,
  ...WOULD_NOT_RESOLVE,
  ...LEAK,
} satisfies Readonly<Record<string, ProblemDefinition>>

export type ProblemCode = keyof typeof PROBLEMS

/** One expected problem: stable code, what happened, what to do. Never holds a secret. */
export interface Problem {
  code: ProblemCode
  category: Category
  severity: Severity
  /** The file it is about, as the user would name it. */
  file?: string
  message: string
  fix: string
  /** URL of the code's documentation. */
  docs: string
  /** The code of an earlier problem of the run that this one only follows from. */
  cause?: ProblemCode
}

export interface ProblemDetails {
  file?: string
  /** What to do about this very case; default: the general fix of the code. */
  fix?: string
  severity?: Severity
  cause?: ProblemCode | undefined
}

/** Makes a problem. `message` says what happened here, in one sentence, without any secret. */
export function problem(code: ProblemCode, message: string, details: ProblemDetails = {}): Problem {
  const { category, severity, fix } = PROBLEMS[code]
  return {
    code,
    category,
    severity: details.severity ?? severity,
    ...(details.file === undefined ? {} : { file: details.file }),
    message,
    fix: details.fix ?? translated(fix),
    docs: docsUrl(code),
    ...(details.cause === undefined ? {} : { cause: details.cause }),
  }
}

/**
 * Thrown where going on makes no sense and no report can be given: an unusable configuration, or a failed build hook.
 * Carries every problem at once.
 */
export class SymupError extends Error {
  override readonly name = 'SymupError'
  readonly problems: Problem[]

  constructor(message: string, problems: Problem[]) {
    super(message)
    this.problems = problems
  }
}
