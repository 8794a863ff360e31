import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Ignore } from 'ignore'
import { listFiles } from './walk.ts'

/** What a walk through a directory that somebody named passes over. */
export interface ProjectRules {
  enters(path: string): Promise<boolean>
  /** Directories that were not entered because a `.gitignore` names them, relative, without a trailing slash. */
  ignored: readonly string[]
}

/** Nobody deploys or uploads from there; one that is itself named is looked at. */
const NEVER_ENTERED = new Set(['node_modules', '.git'])
/** `*`: what an output directory says of itself, so that nobody commits it. */
const EVERYTHING = /^\s*\/?\*\*?(?:\/\*)?\s*$/m
const MAX_IGNORE_BYTES = 1024 * 1024

/**
 * Passes over `node_modules`, `.git` and directories that a `.gitignore` in or below the directory names. Rules about single files do not
 * count: they are there for source maps too.
 */
export function projectRules(directory: string): ProjectRules {
  const ignored: string[] = []
  const rules = new Map<string, Ignore | undefined>()
  const rulesIn = async (below: string) => {
    if (!rules.has(below)) rules.set(below, await readRules(join(directory, below)))
    return rules.get(below)
  }
  const enters = async (path: string): Promise<boolean> => {
    if (NEVER_ENTERED.has(basename(path))) return false
    const names = path.split('/')
    for (let depth = 0; depth < names.length; depth++) {
      const own = await rulesIn(names.slice(0, depth).join('/'))
      if (!own?.ignores(`${names.slice(depth).join('/')}/`)) continue
      ignored.push(path)
      return false
    }
    return true
  }
  return { enters, ignored }
}

async function readRules(directory: string): Promise<Ignore | undefined> {
  const text = await readFile(join(directory, '.gitignore'), 'utf8').catch(() => '')
  if (text.trim() === '' || text.length > MAX_IGNORE_BYTES || EVERYTHING.test(text)) return undefined
  const { default: ignore } = await import('ignore')
  return ignore().add(text)
}

/** Source maps below directories that were not entered: `dist` → 12; only those that hold some. */
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
