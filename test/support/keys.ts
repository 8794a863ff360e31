import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The keys that a run was given, on whichever way. Short ones stand in other words too. */
export function keysOf(args: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const flags = args.filter((_, index) => ['--api-key', '--app-key'].includes(args[index - 1] ?? ''))
  const variables = Object.keys(env).filter((name) => /API_KEY|APP_KEY/.test(name))
  return [...flags, ...variables.map((name) => env[name] ?? '')].filter((key) => key.length > 5)
}

const FILE_FLAGS = ['--ledger', '--output']

/** What a run may have written besides its output: the ledger, the file of its problems. */
export function filesOf(args: readonly string[], cwd: string): string[] {
  const named = args.filter((_, index) => FILE_FLAGS.includes(args[index - 1] ?? '')).map((file) => resolve(cwd, file))
  return [join(cwd, 'node_modules/.cache/symup/ledger.jsonl'), ...named]
}

/**
 * Every run of the whole suite goes through this: neither what it printed nor what it wrote may hold a key that it was given.
 * @param paths files, and directories with everything below them.
 */
export function leakOf(keys: readonly string[], printed: string, paths: readonly string[]): string | undefined {
  if (keys.some((key) => printed.includes(key))) return 'printed'
  for (const path of paths.flatMap(filesBelow)) {
    const content = readFileSync(path)
    if (keys.some((key) => content.includes(key))) return `written to ${path}`
  }
  return undefined
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
}
