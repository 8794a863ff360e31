import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Ignore } from 'ignore'
import { listFiles } from './walk.ts'

export interface ProjectRules {
  enters(path: string): Promise<boolean>
  /** The directories that were skipped because of a `.gitignore` rule, as relative paths without a trailing slash. */
  ignored: readonly string[]
}

interface PlacedRules {
  /** The length of the path prefix to remove before the rules are applied. */
  from: number
  rules: Ignore
}

/** `node_modules` and `.git` are skipped because they are never deployed. A directory that the user passes explicitly is still searched. */
const NEVER_ENTERED = new Set(['node_modules', '.git'])
/**
 * Matches the rule `*`. Some tools create a `.gitignore` with the rule `*` in their output directory so that the output is never committed.
 */
const EVERYTHING = /^[ \t]*\/?\*\*?(?:\/\*)?[ \t]*$/m
const MAX_IGNORE_BYTES = 1024 * 1024

/**
 * Skips `node_modules`, `.git`, and directories that a `.gitignore` excludes. Rules for individual files are ignored, because such rules
 * often exclude source maps.
 */
export function projectRules(directory: string): ProjectRules {
  const ignored: string[] = []
  const rules = new Map<string, readonly PlacedRules[]>()
  const rulesAt = async (below: string): Promise<readonly PlacedRules[]> => {
    const known = rules.get(below)
    if (known) return known
    const above = below === '' ? [] : await rulesAt(parentOf(below))
    const own = await readRules(join(directory, below))
    const all = own ? [...above, { from: below === '' ? 0 : below.length + 1, rules: own }] : above
    rules.set(below, all)
    return all
  }
  const enters = async (path: string): Promise<boolean> => {
    if (NEVER_ENTERED.has(basename(path))) return false
    const applying = await rulesAt(parentOf(path))
    const isIgnored = applying.some(({ from, rules }) => rules.ignores(`${path.slice(from)}/`))
    if (isIgnored) ignored.push(path)
    return !isIgnored
  }
  return { enters, ignored }
}

const parentOf = (path: string) => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

async function readRules(directory: string): Promise<Ignore | undefined> {
  const text = await readFile(join(directory, '.gitignore'), 'utf8').catch(() => '')
  if (text.trim() === '' || text.length > MAX_IGNORE_BYTES || EVERYTHING.test(text)) return undefined
  const { default: ignore } = await import('ignore')
  return ignore().add(text)
}

export async function mapsBelow(directory: string, ignored: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const path of ignored) {
    const place = resolve(directory, path)
    const files = await listFiles(place, { enters: projectRules(place).enters }).catch(() => [])
    const maps = files.filter((file) => /\.[mc]?js\.map$/.test(file)).length
    if (maps > 0) found.set(path, maps)
  }
  return found
}
