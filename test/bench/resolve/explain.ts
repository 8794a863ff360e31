import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPackages } from '../../support/build-package.ts'
import { Failed, inRounds } from '../measure.ts'
import type { Table } from '../table.ts'
import { COMMAND } from '../upload/contestants.ts'
import { makeWorkload } from '../upload/workloads.ts'

/** Position of the stack in the script. Mappings are read up to this position. */
const PLACES = [
  { name: 'at a tenth', share: 0.1 },
  { name: 'in the middle', share: 0.5 },
  { name: 'at nine tenths', share: 0.9 },
]

/** How long a user waits for `symup explain --dir` with the largest map. */
export async function explainTable(cache: string, rounds: number): Promise<Table> {
  const { directory, mapBytes } = await makeWorkload('X', cache)
  await buildPackages()
  const place = mkdtempSync(join(tmpdir(), 'symup-bench-explain-'))
  try {
    const script = readFileSync(join(directory, 'chunk-0000.js'), 'latin1')
    const files = new Map(PLACES.map(({ name, share }) => [name, stackIn(place, script, share)]))
    const measure = ({ name }: { name: string }) => answerTimes(files.get(name) as string, directory)
    const rows = await inRounds(PLACES, rounds, measure)
    return {
      name: 'explain',
      title: `symup explain --dir, a map of ${(mapBytes / 1e6).toFixed(0)} MB`,
      metrics: [
        { name: 'answer s', digits: 2 },
        { name: 'end s', digits: 2 },
      ],
      rows,
      goals: PLACES.map(({ name }) => ({ row: name, metric: 'answer s', atMost: 0.5, absolute: true })),
      notes: ['After its answer it looks whether the script is that of the map.'],
    }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Writes a stack with the first error that is created after a share of the script. */
function stackIn(place: string, script: string, share: number): string {
  const at = script.indexOf('new Error(', Math.floor(share * script.length))
  const before = script.slice(0, at)
  const file = join(place, `${share}.txt`)
  const [line, column] = [before.split('\n').length, at - before.lastIndexOf('\n')]
  writeFileSync(file, `Error: x\n    at f (http://localhost/chunk-0000.js:${line}:${column})\n`)
  return file
}

/** Seconds until the first output, and until the command has ended. */
async function answerTimes(stack: string, directory: string): Promise<Record<string, number>> {
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  const child = spawn(process.execPath, [COMMAND, 'explain', stack, '--dir', directory, '--no-config-file'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: directory },
  })
  let output = ''
  let answer: number | undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    answer ??= seconds()
    output += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0 || answer === undefined || !/→|library frame/.test(output))
    throw new Failed(`exit code ${code}: ${output}`)
  return { 'answer s': answer, 'end s': seconds() }
}
