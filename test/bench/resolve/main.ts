// npm run bench -- --only resolve
//
// The first look-up in a map of 167 MB, compared with `@jridgewell/trace-mapping` on the same file. `--intake <file>`
// measures another version of the workspace: the same program `process.ts`, in a copy of it.
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeWorkload } from '../upload/workloads.ts'
import { startBenchIntake } from './intake.ts'
import { positionsIn } from './positions.ts'

const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: join(tmpdir(), 'symup-bench') },
    intake: { type: 'string', default: join(import.meta.dirname, 'process.ts') },
  },
})

const frame = (name: string, { line, column }: { line: number; column: number }) =>
  `    at f (https://example.com/${name}:${line}:${column})`

async function first() {
  const { directory } = await makeWorkload('X', values.cache)
  const script = join(directory, 'chunk-0000.js')
  const peer = spawnSync(
    process.execPath,
    [
      ...process.execArgv,
      join(import.meta.dirname, 'peer.ts'),
      `${script}.map`,
      JSON.stringify(positionsIn(script, 10, 7)),
    ],
    { encoding: 'utf8', maxBuffer: 1e8 },
  )
  const theirs = JSON.parse(peer.stdout) as {
    ms: number
    megabytes: number
    place?: { line: number; column: number }
    found: Record<string, unknown>
  }
  const position = theirs.place
  if (!position) throw new Error('no place leads anywhere')
  const intake = await startBenchIntake(values.intake)
  try {
    await intake.upload(script)
    const uploaded = await intake.cost()
    await intake.settle()
    // Starting a thread takes time, so do it first.
    await intake.explain(`Error: x\n${frame('none.js', position)}`)
    const idle = await intake.cost()
    let isOver = false
    let longest = 0
    const checks = (async () => {
      while (!isOver) {
        const begin = performance.now()
        await (await fetch(`${intake.url}/healthz`)).text()
        longest = Math.max(longest, performance.now() - begin)
      }
    })()
    const begin = performance.now()
    const [answer] = await intake.explain(`Error: x\n${frame('chunk-0000.js', position)}`)
    const ms = performance.now() - begin
    isOver = true
    await checks
    const after = await intake.cost()
    const again: number[] = []
    for (const other of positionsIn(script, 20, 11)) {
      const from = performance.now()
      await intake.explain(`Error: x\n${frame('chunk-0000.js', other)}`)
      again.push(performance.now() - from)
    }
    const { cpu } = await intake.cost()
    again.sort((a, b) => a - b)
    const over = after.peak - idle.resident
    if (answer?.line !== theirs.found.line || answer?.column !== Number(theirs.found.column) + 1)
      throw new Error(`other answers: ${JSON.stringify(answer)} ${JSON.stringify(theirs.found)}`)
    console.log(`upload: event loop held up for at most ${uploaded.delay.toFixed(0)} ms`)
    console.log(`trace-mapping: ${theirs.ms.toFixed(0)} ms, ${theirs.megabytes.toFixed(0)} MB`)
    console.log(
      `first stack: ${ms.toFixed(0)} ms (${(ms / theirs.ms).toFixed(3)} ×), ${over.toFixed(0)} MB over idle (${(over / theirs.megabytes).toFixed(3)} ×), ` +
        `/healthz at most ${longest.toFixed(0)} ms, event loop at most ${after.delay.toFixed(0)} ms`,
    )
    console.log(
      `20 more, other places: median ${again[10]?.toFixed(1)} ms, longest ${again[19]?.toFixed(1)} ms; ${((1000 * cpu) / 20).toFixed(1)} ms of CPU each`,
    )
    return { wall: ms / theirs.ms, memory: over / theirs.megabytes, longest }
  } finally {
    intake.close()
  }
}

const { wall, memory, longest } = await first()
for (const [what, figure, most] of [
  ['wall of the first look-up, of that of trace-mapping', wall, 0.02],
  ['memory of the first look-up, of that of trace-mapping', memory, 0.05],
  ['longest answer of /healthz during it, in seconds', longest / 1000, 0.05],
] as const) {
  const isMet = figure <= most
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${what}: ${figure.toFixed(3)}, at most ${most}`)
  if (!isMet) process.exitCode = 1
}
