import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackages } from '../../support/build-package.ts'
import { Failed, inRounds, timed } from '../measure.ts'
import { type Sink, startSink } from '../sink.ts'
import type { Goal, Table } from '../table.ts'
import { CONTESTANTS, type Contestant, STARTERS } from './contestants.ts'
import { makeWorkload, type Size, type Workload } from './workloads.ts'

const METRICS = [
  { name: 'CPU s', digits: 2 },
  { name: 'wall s', digits: 2 },
  { name: 'peak MB', digits: 0 },
  { name: 'wire MB', digits: 1 },
]

/** Ratios to datadog-ci in the same run. Workload N has separate goals, because symup is not tuned on it. */
const goalsOf = (size: Size): Goal[] => {
  const [cpu, wall, peak] = size === 'N' ? [0.6, 0.65, 0.85] : [0.45, 0.55, 0.8]
  return [
    { row: 'symup', metric: 'CPU s', atMost: cpu },
    { row: 'symup', metric: 'wall s', atMost: wall },
    { row: 'symup', metric: 'peak MB', atMost: peak },
    { row: 'symup', metric: 'wire MB', atMost: 1.2 },
  ]
}

/** Uploads one workload with every contestant, to a sink that stores what arrives. A result counts only if every byte arrived. */
export async function uploadTable(size: Size, cache: string, rounds: number): Promise<Table> {
  const workload = await makeWorkload(size, cache)
  await buildPackages()
  const sink = await startSink()
  try {
    const rows = await inRounds(CONTESTANTS, rounds, (contestant) => measure(contestant, workload, sink))
    const { pairs, mapBytes } = workload
    return {
      name: `upload-${size}`,
      title: `Upload ${size}: ${pairs} ${pairs === 1 ? 'pair' : 'pairs'}, ${(mapBytes / 1e6).toFixed(0)} MB of maps`,
      metrics: METRICS,
      rows,
      base: 'datadog-ci',
      goals: goalsOf(size),
      notes: ['symup with its defaults checks the maps and runs git; datadog-ci does neither.'],
    }
  } finally {
    sink.stop()
  }
}

async function measure(contestant: Contestant, workload: Workload, sink: Sink): Promise<Record<string, number>> {
  // Read the files into the page cache, as after a build. A peer's long run may have evicted them.
  for (const name of readdirSync(workload.directory)) readFileSync(join(workload.directory, name))
  const command = contestant.command(workload.directory, sink.url)
  const cost = await timed(command, { cwd: workload.directory, env: contestant.env?.(sink.url) ?? {} })
  const received = await sink.received()
  const lost = missing(workload, received.hashes)
  if (lost > 0) throw new Failed(`${lost} of ${workload.hashes.length} files did not arrive byte-identical`)
  return { 'CPU s': cost.cpu, 'wall s': cost.wall, 'peak MB': cost.peak, 'wire MB': received.wireBytes / 1e6 }
}

/** Files of the workload that did not arrive. */
function missing(workload: Workload, hashes: readonly string[]): number {
  const left = new Map<string, number>()
  for (const hash of hashes) left.set(hash, (left.get(hash) ?? 0) + 1)
  return workload.hashes.filter((hash) => {
    const count = left.get(hash) ?? 0
    left.set(hash, count - 1)
    return count <= 0
  }).length
}

/** How long each command takes to print its version. */
export async function startTable(rounds: number): Promise<Table> {
  await buildPackages()
  const rows = await inRounds(STARTERS, Math.max(15, rounds), async ({ command }) => {
    const started = performance.now()
    // GNU time rounds to 10 ms, which is too coarse here.
    await timed(command, { cwd: import.meta.dirname, env: { DD_CI_SKIP_VERSION_BANNER: '1' } })
    return { 'wall s': (performance.now() - started) / 1000 }
  })
  return {
    name: 'start',
    title: 'Start: printing the version',
    metrics: [{ name: 'wall s', digits: 3 }],
    rows,
    base: 'datadog-ci',
    goals: [{ row: 'symup', metric: 'wall s', atMost: 0.25 }],
    notes: [],
  }
}
