import { closeSync, existsSync, lstatSync, openSync, readSync } from 'node:fs'
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

const PIECE_BYTES = 1024 * 1024
/** Larger files are created by tests on purpose. */
const SEARCHED_BYTES = 256 * PIECE_BYTES

/**
 * Shared by all files: creating one for each of the tens of thousands of files below a `node_modules` takes longer than
 * reading them.
 */
let buffer = Buffer.alloc(0)

/** Reads in pieces, each with the end of the previous one. */
function holds(path: string, keys: readonly string[]): boolean {
  const overlap = Math.max(...keys.map((key) => Buffer.byteLength(key)))
  if (buffer.length < overlap + PIECE_BYTES) buffer = Buffer.alloc(overlap + PIECE_BYTES)
  // Clear what remains from another file.
  buffer.fill(0, 0, overlap)
  const file = openSync(path, 'r')
  try {
    for (let position = 0; position < SEARCHED_BYTES; position += PIECE_BYTES) {
      const count = readSync(file, buffer, overlap, PIECE_BYTES, position)
      const piece = buffer.subarray(0, overlap + count)
      if (keys.some((key) => piece.includes(key))) return true
      if (count < PIECE_BYTES) return false
      buffer.copyWithin(0, PIECE_BYTES, PIECE_BYTES + overlap)
    }
    return false
  } finally {
    closeSync(file)
  }
}

function filesAt(path: string): string[] {
  if (!existsSync(path)) return []
  const found = lstatSync(path)
  // Reading a pipe without a writer would block.
  if (!found.isDirectory()) return found.isFile() ? [path] : []
  return filesBelow(path).map((file) => join(path, file))
}
