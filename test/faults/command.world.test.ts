import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Report } from '@symup/core'
import { startIntake } from '@symup/intake'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { symup, symupArguments } from '../support/command.ts'
import { useDirectory } from '../support/directory.ts'
import { fractionsOf } from '../support/random.ts'

/** Polls for files that another process writes. */
const POLL = { timeout: 30_000, interval: 10 }

/** The command and the intake as users run them: two separate processes. */
const root = useDirectory('each')
let data: string
let ledger: string
let children: ChildProcess[]

beforeEach(() => {
  data = join(root, 'data')
  ledger = join(root, 'ledger.jsonl')
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Pairs whose maps, of the given sizes in bytes, do not compress well. */
function makeBuild(sizes: readonly number[]): string {
  const random = fractionsOf(7)
  const dist = join(root, 'dist')
  mkdirSync(dist)
  for (const [index, size] of sizes.entries()) {
    const text = Array.from({ length: Math.ceil(size / 8) }, () => Math.floor(random() * 2 ** 38).toString(36)).join()
    writeFileSync(join(dist, `${index}.js`), `// ${index}\n`)
    const map = { version: 3, sources: ['a.ts'], sourcesContent: [text], names: [], mappings: 'AAAA' }
    writeFileSync(join(dist, `${index}.js.map`), JSON.stringify(map))
  }
  return dist
}

const flagsFor = (url: string) => [
  ...['--endpoint', url, '--service', 's', '--release-version', '1', '--minified-path-prefix', '/'],
  ...['--api-key', 'dev-api-key', '--ledger', ledger, '--json', '--no-config-file'],
]

/** An intake in its own process. `limitKiB` is the largest file that its system lets it write. */
async function intakeProcess(limitKiB?: number): Promise<{ child: ChildProcess; url: string }> {
  const args = symupArguments(['intake', '--port', '0', '--data', data])
  const child =
    limitKiB === undefined
      ? spawn(process.execPath, args)
      : spawn('bash', ['-c', `trap '' XFSZ; ulimit -f ${limitKiB}; exec "$@"`, 'bash', process.execPath, ...args])
  children.push(child)
  const line = await new Promise<string>((done) =>
    createInterface(child.stdout as NodeJS.ReadableStream).once('line', done),
  )
  return { child, url: line.split(' ').at(-1) as string }
}

/** For each upload, whether the intake has it byte for byte. */
async function stored(): Promise<boolean[]> {
  const intake = await startIntake({ dataDir: data })
  try {
    const uploads = await intake.uploads()
    return await Promise.all(
      uploads.map(async ({ event, parts }) => {
        const map = await parts.find(({ name }) => name === 'source_map')?.read()
        return map?.equals(readFileSync(join(root, 'dist', `${String(event.minified_url).slice(1)}.map`))) === true
      }),
    )
  } finally {
    await intake.close()
  }
}

const ledgerLines = () =>
  readFileSync(ledger, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { outcome: string })

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
}

it('reports a full disk in the intake, keeps no partial writes, and receives the remaining files when there is space', {
  timeout: 60_000,
}, async () => {
  const dist = makeBuild([20_000, 6_000_000, 20_000, 20_000])
  const full = await intakeProcess(2048)
  const flags = [...flagsFor(full.url), '--attempts', '1']
  const first = await symup(['web', 'upload', dist, ...flags], { cwd: root })
  const report = JSON.parse(first.stdout) as Report
  expect(report.outcomes.map(({ status, problem }) => [status, problem?.code])).toEqual([
    ['accepted', undefined],
    ['failed', 'server-error'],
    ['accepted', undefined],
    ['accepted', undefined],
  ])
  expect(first.exitCode).toBe(1)
  expect(readdirSync(join(data, 'incoming'))).toEqual([])
  full.child.kill('SIGTERM')
  await ended(full.child)
  expect(full.child.exitCode).toBe(0)

  const roomy = await intakeProcess()
  const second = await symup(['web', 'upload', dist, ...flagsFor(roomy.url), '--resume'], { cwd: root })
  expect(second.exitCode).toBe(0)
  roomy.child.kill('SIGTERM')
  await ended(roomy.child)
  expect(await stored()).toEqual([true, true, true, true])
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends the command with exit code %i, a complete ledger and a report, and --resume sends the remaining files',
  async (signal, code) => {
    const dist = makeBuild(Array(100).fill(15_000))
    const { url } = await intakeProcess()
    const flags = [...flagsFor(url), '--concurrency', '1']
    const child = spawn(process.execPath, symupArguments(['web', 'upload', dist, ...flags]), { cwd: root })
    children.push(child)
    let stdout = ''
    child.stdout.on('data', (text) => (stdout += text))
    await vi.waitUntil(() => countAccepted() >= 20, POLL)
    child.kill(signal)
    const [exitCode] = await once(child, 'close')
    const first = JSON.parse(stdout) as Report
    expect(exitCode).toBe(code)
    expect(first.totals.notTried).toBeGreaterThan(0)
    expect(first.totals.failed + first.totals.refused).toBe(0)
    expect(ledgerLines().filter(({ outcome }) => outcome === 'accepted')).toHaveLength(first.totals.accepted)

    // Uses the same intake URL, because another URL would be another ledger entry.
    const second = await symup(['web', 'upload', dist, ...flagsFor(url), '--resume'], { cwd: root })
    const { totals, outcomes } = JSON.parse(second.stdout) as Report
    expect(second.exitCode).toBe(0)
    expect(totals.accepted).toBe(first.totals.notTried)
    expect(outcomes.filter(({ attempts }) => attempts > 0)).toHaveLength(first.totals.notTried)
  },
)

function countAccepted(): number {
  try {
    return ledgerLines().filter(({ outcome }) => outcome === 'accepted').length
  } catch {
    return 0
  }
}
