// node scripts/run.js test/bench/intake/main.ts [--repeat N] [--seconds N]
//
// Requests a second of `channel/list` (a page of 20 of 40 channels, with authentication, limits, checks and audit record), against a
// bare Fastify route that answers the same object as a constant. Each runs in its own process, in turns; medians, and their ratio.
// Before that, how long an intake takes to start within a process, as tests start it; median of nine.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { startIntake } from '../../../packages/intake/src/index.ts'
import { BODY, LIST } from './server.ts'

const GOAL = 0.7
const { values } = parseArgs({
  options: { repeat: { type: 'string', default: '5' }, seconds: { type: 'string', default: '4' } },
})

const starts: number[] = []
for (let nth = 0; nth < 9; nth++) {
  const began = performance.now()
  const started = await startIntake()
  starts.push(performance.now() - began)
  await started.close()
}
console.log(`start of an intake: ${median(starts).toFixed(0)} ms`)

const intake = await start('intake')
const sample = await fetch(intake.url + LIST, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: BODY,
})
const constant = await sample.text()
const bare = await start('bare', constant)

const rates = { intake: [] as number[], bare: [] as number[] }
for (let nth = -1; nth < Number(values.repeat); nth++) {
  for (const [name, { url }] of [
    ['bare', bare],
    ['intake', intake],
  ] as const) {
    const rate = await measure(url)
    // The first round warms up.
    if (nth >= 0) rates[name].push(rate)
  }
}
intake.stop()
bare.stop()

const [ours, theirs] = [median(rates.intake), median(rates.bare)]
const ratio = ours / theirs
console.log(`channel/list, ${constant.length} bytes: ${ours.toFixed(0)} requests/s`)
console.log(`bare route, the same bytes: ${theirs.toFixed(0)} requests/s`)
console.log(`ratio ${ratio.toFixed(2)} (goal ${GOAL})`)
process.exitCode = ratio >= GOAL ? 0 : 1

async function measure(url: string): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url: url + LIST,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: BODY,
    connections: 16,
    duration: Number(values.seconds),
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx} answers were not 200, ${errors} did not come`)
  return requests.average
}

async function start(kind: string, ...args: string[]): Promise<{ url: string; stop(): void }> {
  const script = join(import.meta.dirname, 'server.ts')
  const child = spawn(process.execPath, [...process.execArgv, script, kind, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { value: url } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  return { url, stop: () => void child.kill() }
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
