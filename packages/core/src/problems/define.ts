/** What a problem is about, in the order in which documentation lists them. A policy decides by it what fails a run. */
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

/** One code of the catalogue. */
export interface ProblemDefinition {
  category: Category
  severity: Severity
  /** When it comes up; what the documentation prints. */
  cause: string
  /** What to do when the place that raises the problem knows nothing better. */
  fix: string
  /** Names that the code had before; links to them go on working. */
  formerly?: readonly string[]
}

/** The problems of one category: each file of this folder defines one. */
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
