import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPackages } from '../../support/build-package.ts'
import { Failed, inRounds, timed } from '../measure.ts'
import { type Sink, startSink } from '../sink.ts'
import type { Goal, Row, Table } from '../table.ts'
import { BIG, makeApp } from './app.ts'
import { type BundlerName, buildScript } from './builds.ts'
import { type Contestant, contestants } from './contestants.ts'

const METRICS = [
  { name: 'CPU s', digits: 2 },
  { name: 'wall s', digits: 2 },
  { name: 'peak MB', digits: 0 },
]
const GOALS: Goal[] = [
  { row: 'symup', metric: 'CPU s', atMost: 0.65 },
  { row: 'symup', metric: 'wall s', atMost: 0.7 },
  { row: 'symup', metric: 'peak MB', atMost: 50, absolute: true },
]

/** What each plugin adds to a build of the same app, uploading to the same sink. A result counts only if every script arrived. */
export async function bundlerTable(bundler: BundlerName, cache: string, rounds: number): Promise<Table> {
  const app = join(cache, 'app-big')
  makeApp(app, BIG)
  await buildPackages()
  const sink = await startSink()
  try {
    const measured = await inRounds(await contestants(cache, bundler, sink.url), rounds, (contestant) =>
      measure(bundler, app, contestant, sink),
    )
    const rows = addedTo(measured)
    return {
      name: `plugin-${bundler}`,
      title: `What a plugin adds to a build with ${bundler} (${BIG.routes} lazy chunks)`,
      metrics: METRICS,
      rows,
      base: 'datadog',
      goals: GOALS,
      notes: [],
    }
  } finally {
    sink.stop()
  }
}

/** Subtracts the cost of a bare build, which consists of ending the process. */
function addedTo(rows: Row[]): Row[] {
  const bare = rows.find(({ name }) => name === 'bare')
  const least = (metric: string) => Math.min(...(bare?.samples[metric] ?? [Number.NaN]))
  return rows.flatMap((row) => {
    if (row === bare) return row.failure === undefined ? [] : [row]
    const samples = Object.entries(row.samples).map(([metric, values]) => [
      metric,
      values.map((value) => value - least(metric)),
    ])
    return [{ ...row, samples: Object.fromEntries(samples) }]
  })
}

async function measure(
  bundler: BundlerName,
  app: string,
  { name, module, plugin, uploads, missing }: Contestant,
  sink: Sink,
): Promise<Record<string, number>> {
  if (missing !== undefined) throw new Failed(missing)
  const outDir = join(app, `dist-${bundler}-${name}`)
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir)
  const directory = mkdtempSync(join(tmpdir(), 'symup-bench-'))
  try {
    const figures = join(directory, 'figures')
    // Next to the app, so that this project's bundlers are found.
    const script = join(app, `.made-${bundler}-${name}.mjs`)
    writeFileSync(script, buildScript(bundler, { module, plugin, outDir, figures }))
    await timed([process.execPath, script], {
      cwd: app,
      env: { DATADOG_SOURCEMAP_INTAKE_URL: `${sink.url}/api/v2/srcmap` },
    })
    const { hashes } = await sink.received()
    if (uploads) refuseLoss(outDir, hashes)
    const [cpu = 0, wall = 0, peak = 0] = readFileSync(figures, 'utf8').split(' ').map(Number)
    return { 'CPU s': cpu, 'wall s': wall, 'peak MB': peak }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** @throws Failed if a script did not arrive. */
function refuseLoss(outDir: string, hashes: readonly string[]): void {
  const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
  const arrived = new Set(hashes)
  const sha256 = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(outDir, file)))
      .digest('hex')
  const lost = files.filter((file) => !arrived.has(sha256(file))).length
  if (lost > 0) throw new Failed(`${lost} of ${files.length} scripts did not arrive`)
}
