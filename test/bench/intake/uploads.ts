import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildPackages } from '../../support/build-package.ts'
import { Failed, inRounds, timed } from '../measure.ts'
import { startSink } from '../sink.ts'
import type { Table } from '../table.ts'
import { INTAKE_COMMAND, uploadCommand } from '../upload/contestants.ts'
import { makeWorkload, type Size } from '../upload/workloads.ts'

const SMALL = 2000
const AT_A_TIME = 8

/** The command into our own intake (SQLite, files on disk) beside the command into a sink that only keeps what arrives. */
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

/** Small uploads that our intake takes in a second: a map of 20 kB and a script each, from a client that shares the cores. */
export async function smallUploadsTable(rounds: number): Promise<Table> {
  await buildPackages()
  const rows = await inRounds([{ name: 'symup intake' }], rounds, () =>
    withIntake(async ({ url, cpu }) => {
      const before = cpu()
      const perSecond = await uploadsPerSecond(url)
      return { 'uploads/s': perSecond, 'intake CPU ms each': ((cpu() - before) * 1000) / SMALL }
    }),
  )
  return {
    name: 'intake-small',
    title: `${SMALL} small uploads into symup intake, ${AT_A_TIME} at a time`,
    metrics: [
      { name: 'uploads/s', digits: 0 },
      { name: 'intake CPU ms each', digits: 2 },
    ],
    rows,
    goals: [{ row: 'symup intake', metric: 'uploads/s', atLeast: 300, absolute: true }],
    notes: [],
  }
}

async function uploadsPerSecond(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME })
  let next = 0
  const lane = async () => {
    for (let nth = next++; nth < SMALL; nth = next++) await uploadSmall(agent, `${url}/sourcemap/upload`, nth)
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: AT_A_TIME }, lane))
  agent.destroy()
  return (SMALL * 1000) / (performance.now() - started)
}

function uploadSmall(agent: Agent, url: string, nth: number): Promise<void> {
  const path = `/assets/${nth}.js`
  const map = { version: 3, sources: [`src/${nth}.ts`], sourcesContent: [`${nth}${'x'.repeat(20_000)}`], names: [] }
  const event = { type: 'js_sourcemap', service: 'bench', version: '1', minified_url: path }
  const part = (name: string, filename: string, type: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${filename}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`
  const body = Buffer.from(
    part('event', '', 'application/json', JSON.stringify(event)) +
      part('source_map', '; filename="m"', 'application/json', JSON.stringify({ ...map, mappings: 'AAAA' })) +
      part('minified_file', '; filename="f"', 'text/javascript', `boom(${nth})`) +
      '--b--\r\n',
  )
  const headers = { 'DD-API-KEY': 'dev-api-key', 'Content-Type': 'multipart/form-data; boundary=b' }
  return new Promise((resolve, reject) => {
    const post = request(url, { method: 'POST', agent, headers: { ...headers, 'Content-Length': body.length } })
    post.on('error', reject)
    post.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Failed(`the intake answered ${response.statusCode}`))
      response.resume().on('end', resolve)
    })
    post.end(body)
  })
}

interface RunningIntake {
  url: string
  /** CPU seconds so far, of all its threads. */
  cpu(): number
}

/** Runs `symup intake` over a store of its own. */
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

/** Linux gives user and system time of a process in units of 10 ms. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
