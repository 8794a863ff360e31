import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildPackages } from '../../support/build-package.ts'
import { Failed, inRounds, timed } from '../measure.ts'
import { startSink } from '../sink.ts'
import type { Table } from '../table.ts'
import { INTAKE_COMMAND, uploadCommand } from '../upload/contestants.ts'
import { makeWorkload, type Size } from '../upload/workloads.ts'

/** Our command uploading into our own intake (SQLite, files on disk), compared with a sink that only stores what arrives. */
export async function intakeTable(size: Size, cache: string, rounds: number): Promise<Table> {
  const workload = await makeWorkload(size, cache)
  await buildPackages()
  const sink = await startSink()
  const upload = async (endpoint: string, key: string) => {
    for (const name of readdirSync(workload.directory)) readFileSync(join(workload.directory, name))
    const env = { SYMUP_API_KEY: key }
    return timed([process.execPath, ...uploadCommand(workload.directory, endpoint)], { cwd: workload.directory, env })
  }
  const toSink = async () => {
    const { wall, cpu } = await upload(sink.url, 'bench')
    await sink.received()
    return { 'wall s': wall, 'client CPU s': cpu }
  }
  const toIntake = () =>
    withIntake(async (intake) => {
      const before = intake.cpu()
      const { wall, cpu } = await upload(intake.url, 'dev-api-key')
      const own = intake.cpu() - before
      return { 'wall s': wall, 'client CPU s': cpu, 'intake CPU s': own, 'intake ÷ client': own / cpu }
    })
  try {
    const contestants = [
      { name: 'sink', measure: toSink },
      { name: 'symup intake', measure: toIntake },
    ]
    const rows = await inRounds(contestants, rounds, (one: { measure(): Promise<Record<string, number>> }) =>
      one.measure(),
    )
    return {
      name: `intake-${size}`,
      title: `${size} into symup intake (SQLite, disk), client and intake on the same machine`,
      metrics: ['wall s', 'client CPU s', 'intake CPU s', 'intake ÷ client'].map((name) => ({ name, digits: 2 })),
      rows,
      base: 'sink',
      goals: [{ row: 'symup intake', metric: 'wall s', atMost: 1.5 }],
      notes: [],
    }
  } finally {
    sink.stop()
  }
}

interface RunningIntake {
  url: string
  /** CPU seconds so far, of all threads. */
  cpu(): number
}

/** Runs `symup intake` on a store of its own. */
async function withIntake<T>(use: (intake: RunningIntake) => Promise<T>): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'symup-bench-intake-'))
  const child = spawn(process.execPath, [...INTAKE_COMMAND, '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, HOME: data },
  })
  try {
    return await use({ url: await addressOf(child), cpu: () => cpuSecondsOf(child.pid as number) })
  } finally {
    const ended = once(child, 'exit')
    child.kill()
    await ended
    rmSync(data, { recursive: true, force: true })
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout as NodeJS.ReadableStream })) {
    const address = /listening on (http:\S+)/.exec(line)?.[1]
    if (address !== undefined) {
      stdout?.resume()
      return address
    }
  }
  throw new Failed('the intake did not start')
}

/** Linux reports user and system time of a process in units of 10 ms. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
