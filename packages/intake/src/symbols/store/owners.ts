import { createHash, randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '@symup/core/internal'

const BEAT_MS = 30_000
/** A process without a heartbeat for this many milliseconds is dead, on any machine. */
const DEAD_MS = 10 * 60_000

/** Prefixes of the files that this process has open. */
const ours = new Set<string>()

/**
 * Marks this process as alive in a directory that other processes may share, on this machine or through a volume. File names contain a mark
 * of the machine and container, because another container may use the same process id. Process ids are compared only if the marks are
 * equal. Processes on other machines touch a file twice a minute, and the file system's clock decides.
 */
export async function openOwners(directory: string) {
  makeDirectory(directory, 0o700)
  const own = `${placeMark()}-${process.pid}-${randomUUID().slice(0, 8)}-`
  const sign = join(directory, own)
  await writeFile(sign, '', { mode: 0o600 })
  ours.add(own)
  const beat = setInterval(() => {
    const now = new Date()
    utimes(sign, now, now).catch(() => undefined)
  }, BEAT_MS)
  beat.unref()
  const clock = async () => (await stat(sign)).mtimeMs
  for (const name of await readdir(directory)) {
    const at = await changedAt(join(directory, name))
    if (name !== own && at !== undefined && at < (await clock()) - DEAD_MS)
      await rm(join(directory, name), { force: true })
  }
  return {
    own,
    /** Whether a file's owner no longer runs, so that the file can be deleted. */
    async isAbandoned(name: string, at: number) {
      const [, owner = '', mark, id] = /^(([\da-f]{8})-(\d+)-[\da-f]{8}-)/.exec(name) ?? []
      if (ours.has(owner)) return false
      if (mark === placeMark()) return !isRunning(Number(id))
      const lived = owner === '' ? undefined : await changedAt(join(directory, owner))
      return (lived ?? at) < (await clock()) - DEAD_MS
    },
    async close() {
      clearInterval(beat)
      ours.delete(own)
      await rm(sign, { force: true })
    },
  }
}

/** The mark is equal for processes that can see each other's ids. */
function placeMark(): string {
  let space = ''
  try {
    space = readlinkSync('/proc/self/ns/pid')
  } catch {
    // Only Linux has `/proc`.
  }
  return createHash('sha256').update(`${hostname()} ${space}`).digest('hex').slice(0, 8)
}

/** If a file contains this process's id but is not in `ours`, an earlier process with the same id created it. */
function isRunning(id: number): boolean {
  if (!(id > 0) || id === process.pid) return false
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function changedAt(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
}
