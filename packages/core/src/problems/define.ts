/** The categories of problems, in the order used in the documentation. A policy uses the category to decide whether a run fails. */
export const CATEGORIES = [
  'config',
  'nothing-found',
  'invalid-artifact',
  'too-large',
  'auth',
  'network',
  'server',
  'would-not-resolve',
  'leak',
] as const
export type Category = (typeof CATEGORIES)[number]

export type Severity = 'error' | 'warning' | 'info'

export interface ProblemDefinition {
  category: Category
  severity: Severity
  /** The situation in which the problem occurs, as shown in the documentation. */
  cause: string
  /** The default fix, which the reporting code can replace with a more specific one. */
  fix: string
}

export function defineProblems<const Code extends string>(
  category: Category,
  problems: Readonly<Record<Code, Omit<ProblemDefinition, 'category'>>>,
): Readonly<Record<Code, ProblemDefinition>> {
  const entries = Object.entries<Omit<ProblemDefinition, 'category'>>(problems)
  return Object.fromEntries(entries.map(([code, problem]) => [code, { category, ...problem }])) as Record<
    Code,
    ProblemDefinition
  >
}
