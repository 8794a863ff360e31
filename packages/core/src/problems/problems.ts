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

/** All expected problems. They appear as data in a plan or report, and are never thrown as exceptions. */
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

/** One expected problem, which has a stable code and contains no secrets. */
export interface Problem {
  code: ProblemCode
  category: Category
  severity: Severity
  /** The affected file, with its path as the user would write it. */
  file?: string
  message: string
  fix: string
  docs: string
  /** The code of an earlier problem in the same run that led to this problem. */
  cause?: ProblemCode
}

export interface ProblemDetails {
  file?: string
  /** A specific fix for this case. Default: the fix for the code. */
  fix?: string
  severity?: Severity
  cause?: ProblemCode | undefined
}

/** @param message one sentence about this case, without secrets. */
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
 * Thrown if the run can neither continue nor report the problems, because the configuration is unusable or a build hook failed. The error
 * contains all problems at once.
 */
export class SymupError extends Error {
  override readonly name = 'SymupError'
  readonly problems: Problem[]

  constructor(message: string, problems: Problem[]) {
    super(message)
    this.problems = problems
  }
}
