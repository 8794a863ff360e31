import type { CheckedFile } from '../model/check.ts'
import type { Category, Problem, ProblemCode } from '../problems/problems.ts'

/** Decides when a finding from `symup check`, or from the check before an upload, is an error. */
export interface GateRule {
  codes: readonly ProblemCode[]
  /** The condition for an error, as shown in the documentation. */
  error: string
  /** The condition for a warning, as shown in the documentation. Undefined if the finding is always an error. */
  warning?: string
  /** Returns whether a warning with one of the rule's codes becomes an error. By default, it stays a warning. */
  fails?(found: Problem, checked: Checked): boolean
}

export interface Checked {
  files: readonly Pick<CheckedFile, 'path' | 'positions' | 'resolved'>[]
  /** Whether the files will be deployed without further changes. By default, an upload may still delete maps. */
  isFinal?: boolean
}

/**
 * The minimum share of wrong positions at which a script fails the check. Below this share, only individual positions or sources are reported as wrong.
 */
const WRONG_SHARE = 0.1

/** The rules for findings, from which `npm run docs` generates the table in `docs/gate.md`. */
export const GATE: readonly GateRule[] = [
  {
    codes: ['no-map'],
    error: 'no script has a source map',
    warning: 'other scripts have a source map',
    fails: (_, { isFinal = false, files }) => isFinal && files.every(({ positions }) => positions === undefined),
  },
  {
    codes: ['map-stale', 'map-offset', 'map-incomplete', 'map-low-resolution', 'map-not-composed'],
    error: '10 % or more of the checked positions in the script are wrong',
    warning: 'fewer positions are wrong',
    fails: ({ file }, { files }) => {
      const { positions = 0, resolved = 0 } = files.find(({ path }) => path === file) ?? {}
      return positions > 0 && positions - resolved >= WRONG_SHARE * positions
    },
  },
  {
    codes: ['map-blank', 'map-one-segment'],
    error: 'no map in the archive of a mini program is usable',
    warning: 'other maps in the archive are usable',
  },
  { codes: ['map-missing', 'map-invalid'], error: 'a script refers to a map that does not exist or is damaged' },
  { codes: ['leak-api-key'], error: 'a file contains the API key' },
  {
    codes: ['leak-map'],
    error: 'a script or a style sheet refers to the map',
    warning: 'no file refers to the map',
  },
  {
    codes: ['map-inline'],
    error: '`symup check` finds a map inside a script or a style sheet',
    warning: 'an upload finds a map inside a script',
    fails: (_, { isFinal = false }) => isFinal,
  },
]

export interface GateOptions extends Checked {
  /** The codes of allowed findings. Globs and other entries have no effect on the gate. */
  allow?: readonly string[]
  /** Whether every finding is treated as an error. Default: false. */
  strict?: boolean
}

const FINDINGS: ReadonlySet<Category> = new Set(['would-not-resolve', 'invalid-artifact', 'leak'])

/** Adjusts the severities of problems to the rules in {@link GATE}. The severity of an allowed finding becomes `info`. */
export function gate(problems: readonly Problem[], { allow = [], strict = false, ...checked }: GateOptions): Problem[] {
  const severityOf = (found: Problem): Problem['severity'] => {
    const { code, category, severity } = found
    if (FINDINGS.has(category) && allow.includes(code)) return 'info'
    if (severity !== 'warning') return severity
    if (strict && category === 'would-not-resolve') return 'error'
    const rule = GATE.find(({ codes }) => codes.includes(code))
    return rule?.fails?.(found, checked) ? 'error' : severity
  }
  return problems.map((found) => ({ ...found, severity: severityOf(found) }))
}
