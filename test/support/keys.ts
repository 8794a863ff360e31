import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { filesBelow } from './files-below.ts'

/** The keys given to a run in any way. Short ones are skipped, because they also occur in other words. */
export function keysOf(args: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const flags = args.filter((_, index) => ['--api-key', '--app-key'].includes(args[index - 1] ?? ''))
  const variables = Object.keys(env).filter((name) => /API_KEY|APP_KEY/.test(name))
  return [...flags, ...variables.map((name) => env[name] ?? '')].filter((key) => key.length > 5)
}

const FILE_FLAGS = ['--ledger', '--output']

/** Files that a run may have written in addition to its output: the ledger, and the file with its problems. */
export function filesOf(args: readonly string[], cwd: string): string[] {
  const named = args.filter((_, index) => FILE_FLAGS.includes(args[index - 1] ?? '')).map((file) => resolve(cwd, file))
  return [join(cwd, 'node_modules/.cache/symup/ledger.jsonl'), ...named]
}

/**
 * Where any of the keys occurs: in the printed output, or in a file.
 * @param paths files, and directories with everything below them.
 * @param isSearched selects the files to search.
 */
export function leakOf(
  keys: readonly string[],
  printed: string,
  paths: readonly string[],
  isSearched: (file: string) => boolean = () => true,
): string | undefined {
  if (keys.length === 0) return undefined
  if (keys.some((key) => printed.includes(key))) return 'printed'
  for (const path of paths.flatMap(filesAt).filter(isSearched)) {
    if (holds(path, keys)) return `written to ${path}`
  }
  return undefined
}

/** Larger files are created by tests on purpose. */
const SEARCHED_BYTES = 256 * 1024 * 1024

function holds(path: string, keys: readonly string[]): boolean {
  if (statSync(path).size > SEARCHED_BYTES) return false
  const content = readFileSync(path)
  return keys.some((key) => content.includes(key))
}

function filesAt(path: string): string[] {
  if (!existsSync(path)) return []
  const found = lstatSync(path)
  // Reading a pipe without a writer would block.
  if (!found.isDirectory()) return found.isFile() ? [path] : []
  return filesBelow(path).map((file) => join(path, file))
}
