// node scripts/run.js test/bench/bundlers/main.ts [--size big|small] [--repeat N] [--only name,name]
//
// Builds the same app with Vite: without a plugin, with ours and with the peers' plugins, all uploading to the same sink, in turns. Prints the
// best of each figure, what each plugin adds to the bare build, and that as a ratio to Datadog's. Nothing counts unless every script arrived.
//
// `CPU` and `wall` are of the plugin: loading it, and all that happens from when Vite has written the last file to the end of the process.
// The same of a bare build is taken off. What Vite itself does before differs more from run to run than plugins do, and is left out; the whole process
// is the last two columns. Needs GNU time at /usr/bin/time.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { Received } from '../upload/sink.ts'
import { BIG, makeApp, SMALL } from './app.ts'
import { type Contestant, contestants } from './contestants.ts'

interface Cost {
  /** CPU seconds of loading the plugin and of what comes after the last file, with those of processes that it starts. */
  cpu: number
  /** Seconds of the same. */
  wall: number
  /** Largest resident set, in MB. */
  peak: number
  /** CPU seconds, and seconds, of the whole process. */
  totalCpu: number
  totalWall: number
}

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'big' },
    repeat: { type: 'string', default: '10' },
    only: { type: 'string' },
  },
})
/** A Vite config that measures itself. */
const PROBE = `import { readFileSync, writeFileSync } from 'node:fs'
// User and system time, also of children that have ended, in units of 10 ms.
const children = () => {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
const now = () => {
  const { user, system } = process.cpuUsage()
  return { cpu: (user + system) / 1e6 + children(), wall: performance.now() / 1000 }
}
const start = now()
const address = MODULE
const plugin = address && (await import(address))
const loaded = now()
let written = loaded
process.on('exit', () => {
  const end = now()
  const sum = (field) => loaded[field] - start[field] + end[field] - written[field]
  writeFileSync(PROBE, sum('cpu') + ' ' + sum('wall'))
})
const probe = { name: 'probe', writeBundle: { order: 'pre', handler: () => { written = now() } } }
export default { plugins: [probe, PLUGIN], logLevel: 'warn', build: BUILD }
`

const require = createRequire(import.meta.url)
const cache = resolve(import.meta.dirname, '../../../node_modules/.cache/symup/bench-bundlers')
const size = values.size === 'small' ? SMALL : BIG
const app = join(cache, `app-${values.size}`)
makeApp(app, size)
const sink = await startSink()
const wanted = values.only?.split(',')
const entered = (await contestants(cache, sink.url)).filter(({ name }) => !wanted || wanted.includes(name))
const costs = new Map<string, Cost[]>(entered.map(({ name }) => [name, []]))
const failures = new Map<string, string>()
for (let round = 0; round < Number(values.repeat); round++) {
  // In turns, so that what else the machine does is spread over all.
  for (const contestant of entered) {
    const cost = await measure(contestant)
    if (typeof cost === 'string') failures.set(contestant.name, cost)
    else costs.get(contestant.name)?.push(cost)
  }
}
sink.stop()
console.log(
  `${values.size}: ${size.routes} lazy chunks, ${size.routes * size.modules} modules, ${values.repeat} runs each`,
)
printTable()

async function measure({ name, module, plugin, uploads, rewritesScripts }: Contestant): Promise<Cost | string> {
  const outDir = join(app, `dist-${name}`)
  rmSync(outDir, { recursive: true, force: true })
  const config = join(app, `vite.${name}.config.mjs`)
  const build = {
    outDir,
    sourcemap: 'hidden',
    emptyOutDir: true,
    chunkSizeWarningLimit: 1e6,
    reportCompressedSize: false,
  }
  const directory = mkdtempSync(join(tmpdir(), 'symup-bench-'))
  const figures = join(directory, 'time')
  const probe = join(directory, 'probe')
  const text = PROBE.replace('PLUGIN', plugin).replace('BUILD', JSON.stringify(build))
  writeFileSync(config, text.replace('PROBE', JSON.stringify(probe)).replace('MODULE', JSON.stringify(module)))
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin/vite.js')
  const args = [
    '-f',
    '%U %S %e %M',
    '-o',
    figures,
    process.execPath,
    vite,
    'build',
    '--configLoader',
    'native',
    '-c',
    config,
  ]
  const child = spawn('/usr/bin/time', args, {
    cwd: app,
    env: {
      PATH: process.env.PATH,
      // Sentry's remembers the address of the last run's sink in its home.
      HOME: directory,
      DATADOG_SOURCEMAP_INTAKE_URL: `${sink.url}/api/v2/srcmap`,
      SENTRY_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  const received = (await (await fetch(`${sink.url}/received`)).json()) as Received
  if (code !== 0) return `exit code ${code}: ${said.trim().slice(0, 600)}`
  if (uploads) {
    const lost = missing(outDir, received, rewritesScripts ?? false)
    if (lost !== '') return `${lost}: ${said.trim().slice(0, 600)}`
  }
  const [user = 0, system = 0, wall = 0, kilobytes = 0] = readFileSync(figures, 'utf8').trim().split(' ').map(Number)
  const [ownCpu = 0, ownWall = 0] = readFileSync(probe, 'utf8').split(' ').map(Number)
  rmSync(directory, { recursive: true })
  return { cpu: ownCpu, wall: ownWall, peak: kilobytes / 1024, totalCpu: user + system, totalWall: wall }
}

/** What did not arrive, in words. */
function missing(outDir: string, { hashes }: Received, onlyCount: boolean): string {
  const scripts = readdirSync(join(outDir, 'assets')).filter((file) => file.endsWith('.js'))
  const arrived = new Set(hashes)
  const sha256 = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(outDir, 'assets', file)))
      .digest('hex')
  const lost = onlyCount
    ? Math.max(0, scripts.length - hashes.length)
    : scripts.filter((file) => !arrived.has(sha256(file))).length
  return lost === 0 ? '' : `${lost} of ${scripts.length} scripts did not arrive`
}

/** The least of each figure: what else the machine does only ever adds. */
function best(all: Cost[]): Cost | undefined {
  if (all.length === 0) return undefined
  const least = (field: keyof Cost) => Math.min(...all.map((cost) => cost[field]))
  const fields = Object.keys(all[0] as Cost) as (keyof Cost)[]
  return Object.fromEntries(fields.map((field) => [field, least(field)])) as unknown as Cost
}

function printTable(): void {
  const of = (name: string) => best(costs.get(name) ?? [])
  const bare = of('bare')
  const datadog = of('datadog')
  const added = (name: string, field: keyof Cost, cost: Cost, digits: number) => {
    if (!bare) return cost[field].toFixed(digits)
    const peer = datadog && datadog[field] - bare[field]
    const own = cost[field] - bare[field]
    return `+${own.toFixed(digits)}${peer && name !== 'datadog' ? ` = ${(own / peer).toFixed(2)}×` : ''}`
  }
  const row = (cells: string[]) => console.log(cells.map((cell, at) => cell.padEnd(at === 0 ? 10 : 16)).join(''))
  row(['', 'CPU s', 'wall s', 'peak MB', 'total CPU s', 'total wall s'])
  for (const { name } of entered) {
    const cost = of(name)
    if (cost) {
      const cells =
        name === 'bare'
          ? ['', '', cost.peak.toFixed(0)]
          : [added(name, 'cpu', cost, 2), added(name, 'wall', cost, 2), added(name, 'peak', cost, 0)]
      row([name, ...cells, cost.totalCpu.toFixed(2), cost.totalWall.toFixed(2)])
    }
    if (failures.has(name)) console.log(`${name.padEnd(10)}${failures.get(name)}`)
  }
}

async function startSink() {
  const tsx = import.meta.resolve('tsx')
  const child = spawn(process.execPath, ['--import', tsx, join(import.meta.dirname, '../upload/sink.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill())
  for await (const line of createInterface({ input: child.stdout })) {
    return { url: `http://127.0.0.1:${line}`, stop: () => child.kill() }
  }
  throw new Error('The sink did not start.')
}
