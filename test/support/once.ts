import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const DEADLINE_MS = 600_000

/**
 * Creates something that several test files need, once: the first file creates it, the others wait, and later runs
 * reuse it as long as its input stays the same.
 * @param stamp file next to the result that records its input.
 * @param from everything that the result depends on, such as a hash.
 */
export async function once(stamp: string, from: string, make: () => Promise<unknown>): Promise<void> {
  const isMade = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === from
  if (isMade()) return
  mkdirSync(dirname(stamp), { recursive: true })
  const lock = `${stamp}.lock`
  await take(lock)
  try {
    if (isMade()) return
    rmSync(stamp, { force: true })
    await make()
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, from)
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Polls with short pauses, because there is no event for another process's lock. */
async function take(lock: string): Promise<void> {
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await pause(50)) {
    try {
      return writeFileSync(lock, String(process.pid), { flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (!isAlive(lock)) rmSync(lock, { force: true })
    }
  }
  throw new Error(`${lock} was held for more than ${DEADLINE_MS / 60_000} minutes`)
}

function isAlive(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    // An empty file means that its owner is about to write the id.
    return pid === 0 || process.kill(pid, 0)
  } catch {
    return false
  }
}

const MADE = new Set(['node_modules', 'dist'])

/** Hash of files and of everything below directories, except generated files. */
export function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  const add = (path: string): void => {
    if (statSync(path).isDirectory())
      for (const name of readdirSync(path).sort()) {
        if (!MADE.has(name)) add(join(path, name))
      }
    else hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}
