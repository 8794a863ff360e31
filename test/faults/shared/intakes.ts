import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../packages/intake/src/test-support/postgres.fixture.ts'
import { sourceArguments } from '../../support/build-fixture.ts'

/** Room of the disk of each intake, where this machine lets us make one. */
const DISK_BYTES = 48 * 1024 * 1024

/** One intake, at an address that stays. */
export interface IntakeProcess {
  url: string
  start(): Promise<void>
  /** SIGKILL, and another one in its place. */
  killAndRestart(): Promise<void>
  /** Milliseconds from the time of day. */
  stepClock(ms: number): void
  /** Has a disk of its own, which can be filled. */
  hasDisk: boolean
  fillDisk(): void
  emptyDisk(): void
  close(): Promise<void>
}

/** Its disk is made by root where mounts are permitted; else it is a directory. Its complaints go to the file. */
export async function createIntake(database: string, blobs: string, log: string): Promise<IntakeProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'symup-fault-intake-'))
  const disk = join(directory, 'disk')
  mkdirSync(disk)
  const hasDisk = mount(disk)
  const ballast = join(disk, 'ballast')
  const port = await freePort()
  const complaints = createWriteStream(log, { flags: 'a' })
  let child: ChildProcess | undefined
  const start = async () => {
    const args = [join(import.meta.dirname, 'intake.ts'), database, blobs, join(disk, 'data'), String(port)]
    const started = spawn(process.execPath, [...sourceArguments(), ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    child = started
    started.stderr?.on('data', (text) => complaints.write(text))
    await Promise.race([once(started.stdout as NodeJS.ReadableStream, 'data'), once(started, 'exit')])
  }
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return {
    url: `http://127.0.0.1:${port}`,
    hasDisk,
    start,
    async killAndRestart() {
      await kill()
      // As an orchestrator does, until it runs.
      do await start()
      while (child?.exitCode !== null)
    },
    stepClock(clock) {
      if (child?.connected) child.send({ clock })
    },
    fillDisk() {
      try {
        writeFileSync(ballast, Buffer.alloc(DISK_BYTES))
      } catch {
        // That it is full is what is wanted.
      }
    },
    emptyDisk: () => rmSync(ballast, { force: true }),
    async close() {
      await kill()
      complaints.end()
      if (hasDisk) execFileSync('umount', [disk])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function mount(place: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'none', place], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
