// node scripts/run.js test/bench/upload/main.ts [--size S|M|L|X] [--repeat N] [--only name,name] [--against directory]
//
// Runs symup and the peers over the same workload against the same sink, one after the other, and prints what each cost: the best
// of the repeats, which go in rounds, and ratios to datadog-ci in the same run. Needs GNU time at /usr/bin/time. Nothing counts unless every byte arrived.
// `--against` measures another checkout of this project beside this one, with the same files in the same run.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { type Contestant, contestants, starters } from './contestants.ts'
import type { Received } from './sink.ts'
import { makeWorkload, type Size, type Workload } from './workloads.ts'

interface Cost {
  /** User and system time, in seconds. */
  cpu: number
  /** Seconds. */
  wall: number
  /** Largest resident set, in MB. */
  peak: number
  /** Request bodies, in MB. */
  wire: number
}

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'M' },
    repeat: { type: 'string', default: '3' },
    only: { type: 'string' },
    against: { type: 'string' },
  },
})
const cache = resolve(import.meta.dirname, '../../../node_modules/.cache/symup/bench')
const workload = await makeWorkload(values.size as Size, cache)
console.log(
  `${values.size}: ${workload.pairs} pairs, ${(workload.mapBytes / 1e6).toFixed(0)} MB of maps, ${values.repeat} runs each`,
)
const sink = await startSink()
const wanted = values.only?.split(',')
const field = (await contestants(cache, values.against)).filter(({ name }) => !wanted || wanted.includes(name))
const costs = new Map<string, Cost[]>()
const failures = new Map<string, string>()
// One round after the other, so that whatever else the machine does meets all of them; in each another one begins.
for (let nth = 0; nth < Number(values.repeat); nth++) {
  const first = nth % field.length
  for (const contestant of [...field.slice(first), ...field.slice(0, first)]) {
    const cost = await measure(contestant, workload)
    if (typeof cost === 'string') failures.set(contestant.name, cost)
    else costs.set(contestant.name, [...(costs.get(contestant.name) ?? []), cost])
  }
}
sink.stop()
printTable(field.map(({ name }) => ({ name, cost: failures.get(name) ?? best(costs.get(name) ?? []) })))
await printStarts()

async function measure(contestant: Contestant, workload: Workload): Promise<Cost | string> {
  // As a build leaves them: in the page cache, which a peer's long run may have emptied.
  for (const name of readdirSync(workload.directory)) readFileSync(join(workload.directory, name))
  const figures = join(mkdtempSync(join(tmpdir(), 'symup-bench-')), 'time')
  const [program = '', ...args] = contestant.command(workload.directory, sink.url)
  const child = spawn('/usr/bin/time', ['-f', '%U %S %e %M', '-o', figures, program, ...args], {
    cwd: workload.directory,
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...contestant.env?.(sink.url) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  const received = (await (await fetch(`${sink.url}/received`)).json()) as Received
  if (code !== 0) return `exit code ${code}: ${said.trim().slice(-200)}`
  const lost = missing(workload, received, contestant)
  if (lost > 0) return `${lost} of ${workload.hashes.length} files did not arrive byte-identical`
  const [user = 0, system = 0, wall = 0, kilobytes = 0] = readFileSync(figures, 'utf8').trim().split(' ').map(Number)
  return { cpu: user + system, wall, peak: kilobytes / 1024, wire: received.wireBytes / 1e6 }
}

/** The least of several starts, in seconds: everything above it is the machine's other work. */
async function printStarts() {
  const least = (contestant: Contestant) => {
    const [program = '', ...args] = contestant.command('', '')
    const times = Array.from({ length: 15 }, () => {
      const started = performance.now()
      spawnSync(program, args, { env: { PATH: process.env.PATH, HOME: tmpdir(), DD_CI_SKIP_VERSION_BANNER: '1' } })
      return (performance.now() - started) / 1000
    })
    return Math.min(...times)
  }
  const starts = starters().map((contestant) => ({ name: contestant.name, seconds: least(contestant) }))
  const base = starts.find(({ name }) => name === 'datadog-ci')?.seconds ?? Number.NaN
  console.log('Start (--version), s:')
  for (const { name, seconds } of starts) {
    console.log(`${name.padEnd(16)}${`${seconds.toFixed(3)} (${(seconds / base).toFixed(2)})`.padStart(16)}`)
  }
}

/** Files of the workload that did not arrive; of those that rewrite maps, only the scripts count. */
function missing(workload: Workload, received: Received, contestant: Contestant): number {
  const left = new Map<string, number>()
  for (const hash of received.hashes) left.set(hash, (left.get(hash) ?? 0) + 1)
  const lost = workload.hashes.filter((hash) => {
    const count = left.get(hash) ?? 0
    left.set(hash, count - 1)
    return count <= 0
  })
  const allowed = contestant.rewritesMaps ? workload.pairs : 0
  return Math.max(0, lost.length - allowed)
}

/** The least of each figure: what else the machine does only ever adds. */
function best(costs: Cost[]): Cost {
  const least = (field: keyof Cost) => Math.min(...costs.map((cost) => cost[field]))
  return { cpu: least('cpu'), wall: least('wall'), peak: least('peak'), wire: least('wire') }
}

function printTable(rows: { name: string; cost: Cost | string }[]) {
  const base = rows.find(({ name }) => name === 'datadog-ci')?.cost
  const cell = (value: number, against: number | undefined, digits: number) =>
    `${value.toFixed(digits)}${against === undefined ? '' : ` (${(value / against).toFixed(2)})`}`.padStart(16)
  console.log(`${''.padEnd(16)}${['CPU s', 'wall s', 'peak MB', 'wire MB'].map((head) => head.padStart(16)).join('')}`)
  for (const { name, cost } of rows) {
    if (typeof cost === 'string') {
      console.log(`${name.padEnd(16)}${cost}`)
      continue
    }
    const against = typeof base === 'object' ? base : undefined
    const cells = [
      cell(cost.cpu, against?.cpu, 2),
      cell(cost.wall, against?.wall, 2),
      cell(cost.peak, against?.peak, 0),
      cell(cost.wire, against?.wire, 1),
    ]
    console.log(`${name.padEnd(16)}${cells.join('')}`)
  }
}

async function startSink() {
  if (spawnSync('/usr/bin/time', ['true']).status !== 0)
    throw new Error('This benchmark needs GNU time at /usr/bin/time.')
  const tsx = import.meta.resolve('tsx')
  const child = spawn(process.execPath, ['--import', tsx, join(import.meta.dirname, 'sink.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill())
  for await (const line of createInterface({ input: child.stdout })) {
    return { url: `http://127.0.0.1:${line}`, stop: () => child.kill() }
  }
  throw new Error('The sink did not start.')
}
