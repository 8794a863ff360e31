// node scripts/run.js test/bench/bundlers/main.ts [--size big|small] [--repeat N] [--only name,name]
//
// Builds the same app with Vite: without a plugin, with ours and with the peers' plugins, all uploading to the same sink, in turns. Prints the
// best of each figure, what each plugin adds to the bare build, and that as a ratio to Datadog's. Needs GNU time at /usr/bin/time. Nothing counts unless
// every script arrived.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { Received } from '../upload/sink.ts'
import { BIG, makeApp, SMALL } from './app.ts'
import { type Contestant, contestants } from './contestants.ts'

interface Cost {
  /** User and system time of all processes, in seconds. */
  cpu: number
  /** Seconds. */
  wall: number
  /** Largest resident set, in MB. */
  peak: number
}

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'big' },
    repeat: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
})
const require = createRequire(import.meta.url)
const cache = resolve(import.meta.dirname, '../../../node_modules/.cache/symup/bench-bundlers')
const size = values.size === 'small' ? SMALL : BIG
const app = join(cache, `app-${values.size}`)
mkdirSync(app, { recursive: true })
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

async function measure({ name, imports, plugin, uploads, rewritesScripts }: Contestant): Promise<Cost | string> {
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
  writeFileSync(
    config,
    `${imports}\nexport default { plugins: [${plugin}], logLevel: 'warn', build: ${JSON.stringify(build)} }\n`,
  )
  const figures = join(mkdtempSync(join(tmpdir(), 'symup-bench-')), 'time')
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
      HOME: process.env.HOME,
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
  return { cpu: user + system, wall, peak: kilobytes / 1024 }
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
  return { cpu: least('cpu'), wall: least('wall'), peak: least('peak') }
}

function printTable(): void {
  const of = (name: string) => best(costs.get(name) ?? [])
  const bare = of('bare')
  const datadog = of('datadog')
  const cell = (name: string, field: keyof Cost, cost: Cost, digits: number) => {
    const added = bare && name !== 'bare' ? cost[field] - bare[field] : undefined
    const peer = bare && datadog ? datadog[field] - bare[field] : undefined
    const ratio =
      added !== undefined && peer !== undefined && name !== 'datadog' ? ` = ${(added / peer).toFixed(2)}×` : ''
    return `${cost[field].toFixed(digits)}${added === undefined ? '' : ` (+${added.toFixed(digits)}${ratio})`}`.padStart(
      26,
    )
  }
  console.log(`${''.padEnd(10)}${['CPU s', 'wall s', 'peak MB'].map((head) => head.padStart(26)).join('')}`)
  for (const { name } of entered) {
    const cost = of(name)
    if (cost)
      console.log(
        `${name.padEnd(10)}${cell(name, 'cpu', cost, 2)}${cell(name, 'wall', cost, 2)}${cell(name, 'peak', cost, 0)}`,
      )
    if (failures.has(name)) console.log(`${name.padEnd(10)}${failures.get(name)}`)
  }
  console.log('In brackets: what the plugin adds to the bare build, and that in proportion to Datadog.')
}

async function startSink() {
  const tsx = import.meta.resolve('tsx')
  const child = spawn(process.execPath, ['--import', tsx, join(import.meta.dirname, '../upload/sink.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    return { url: `http://127.0.0.1:${line}`, stop: () => child.kill() }
  }
  throw new Error('The sink did not start.')
}
