import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReportTotals } from '@symup/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useDirectory } from '../support/directory.ts'
import { fractionsOf } from '../support/random.ts'

const MAPS = 2000
const SEED = 20260101
const KEY = 'fault-suite-key'

const root = useDirectory('each')
let maps: string
let store: string
let ledger: string
let children: ChildProcess[]

beforeEach(() => {
  maps = join(root, 'maps')
  store = join(root, 'store')
  ledger = join(root, 'ledger.jsonl')
  for (const directory of [maps, store]) mkdirSync(directory)
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Creates maps of 1 to 60 KB, and every two hundredth of 5 MB, so that some bodies are compressed in blocks. */
function makeMaps(count: number) {
  const random = fractionsOf(SEED)
  const words = Array.from({ length: 500 }, () => Math.floor(random() * 2 ** 40).toString(36))
  for (let index = 0; index < count; index++) {
    const size = index % 200 === 100 ? 5_000_000 : 1000 + random() * 60_000
    let text = `{"version":3,"file":"${index}.js","mappings":"`
    while (text.length < size) text += `${words[Math.floor(random() * words.length)]},`
    writeFileSync(join(maps, `${index}.js.map`), `${text}"}`)
  }
}

function start(script: string, args: string[]): ChildProcess {
  const child = fork(join(import.meta.dirname, script), args, {
    execArgv: ['--conditions=symup-source', '--import', import.meta.resolve('tsx')],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  children.push(child)
  return child
}

async function startSink(port: string, seed: number, share: number) {
  const child = start('fault-sink.ts', [store, port, String(seed), String(share)])
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return { child, port: line.toString().trim() }
}

interface Result {
  code: number | null
  output: string
  totals: ReportTotals
  sent: number
  /** Peak memory in MB. */
  peak: number
}

async function runClient(
  port: string,
  options: object,
  watch?: (done: number, client: ChildProcess) => void,
): Promise<Result> {
  const client = start('fault-client.ts', [maps, `http://127.0.0.1:${port}`, ledger, JSON.stringify(options)])
  let output = ''
  let complained = ''
  client.stdout?.on('data', (chunk) => (output += chunk))
  client.stderr?.on('data', (chunk) => (complained += chunk))
  client.on('message', (done) => watch?.(done as number, client))
  const [code] = await once(client, 'close')
  expect(complained).toBe('')
  return { code, output, ...JSON.parse(output) }
}

/** Faults in the store: missing, different, or unexpected files. */
function differences(): string[] {
  const wanted = new Set(readdirSync(maps))
  const stored = new Set(readdirSync(store))
  return [
    ...[...wanted].filter(
      (name) => !stored.has(name) || !readFileSync(join(maps, name)).equals(readFileSync(join(store, name))),
    ),
    ...[...stored].filter((name) => !wanted.has(name)),
  ]
}

/** Every line of the ledger. Each line must be complete. */
const ledgerLines = () =>
  readFileSync(ledger, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { path: string; outcome: string })

describe('an intake that breaks 30 % of all requests and is killed mid-run', () => {
  it(`stores ${MAPS} maps exactly once, byte for byte, in bounded memory`, { timeout: 120_000 }, async () => {
    makeMaps(MAPS)
    let sink = await startSink('0', SEED, 0.3)
    const { port } = sink
    let killed = false
    const options = { concurrency: 12, attempts: 10, timeouts: { connect: 1000, idle: 400 } }
    const first = await runClient(port, options, async (done) => {
      if (killed || done < MAPS / 2) return
      killed = true
      sink.child.kill('SIGKILL')
      await once(sink.child, 'close')
      sink = await startSink(port, SEED + 1, 0.3)
    })
    expect(killed).toBe(true)
    // The next run sends exactly the artifacts that used up all their attempts.
    const second = await runClient(port, options)
    const counts = (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as Record<string, number>
    console.log('30 % faults:', first.totals, `peak ${first.peak.toFixed(0)} MB`, counts)
    const missingAfterFirst = first.totals.failed + first.totals.notTried
    expect(missingAfterFirst).toBeLessThan(MAPS / 100)
    expect(first.totals.refused).toBe(0)
    expect(second.sent).toBe(missingAfterFirst)
    expect(second.totals).toMatchObject({ failed: 0, notTried: 0, refused: 0 })
    expect(second.code).toBe(0)
    expect(differences()).toEqual([])
    expect(counts.different ?? 0).toBe(0)
    expect(first.peak).toBeLessThan(250)
    for (const { output } of [first, second]) expect(output).not.toContain(KEY)
    expect(readFileSync(ledger, 'utf8')).not.toContain(KEY)
  })
})

describe('a client that is killed', () => {
  it('leaves a ledger that the next run can use', async () => {
    makeMaps(300)
    const { port } = await startSink('0', SEED, 0)
    const client = start('fault-client.ts', [maps, `http://127.0.0.1:${port}`, ledger])
    client.on('message', (done) => {
      if (done === 100) client.kill('SIGKILL')
    })
    await once(client, 'close')
    const known = ledgerLines().filter(({ outcome }) => outcome === 'accepted').length
    expect(known).toBeGreaterThan(50)
    // Simulates a power failure in the middle of a write.
    writeFileSync(ledger, '{"at":"20', { flag: 'a' })
    const second = await runClient(port, {})
    expect(second.code).toBe(0)
    expect(second.sent).toBe(300 - known)
    expect(differences()).toEqual([])
  })
})
