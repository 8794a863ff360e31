import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A benchmark that prints a page of its own, and exits with 1 where it misses its goal. */
export interface Program {
  name: string
  title: string
  script: string
}

export const PROGRAMS: readonly Program[] = [
  { name: 'changed', title: 'Uploading again when 5 % of the chunks changed', script: 'upload/changed.ts' },
  { name: 'proof', title: 'Proof and leak guard beside a build and gzip', script: 'proof/main.ts' },
  { name: 'proof of a workload', title: 'The proof of a whole deployment', script: 'proof/workload.ts' },
  { name: 'requests', title: "Requests to the intake's on-call API", script: 'intake/main.ts' },
  { name: 'mini-program', title: 'Packing and checking sourcemap.zip', script: 'mini-program/main.ts' },
  { name: 'native', title: 'Reading native symbol files', script: 'native/main.ts' },
  {
    name: 'resolve',
    title: 'Stacks of JavaScript, with a map of 172 MB and with small ones',
    script: 'resolve/main.ts',
  },
  {
    name: 'same frames',
    title: 'The same frames, with other readers of source maps',
    script: 'resolve/same-frames.ts',
  },
  {
    name: 'many maps',
    title: '10,000 source maps at random with a cache of 1 %, and a million frames',
    script: 'resolve/many-maps.ts',
  },
  { name: 'retrace', title: 'Retracing with a mapping file of 100 MB', script: 'retrace/main.ts' },
  { name: 'scale', title: 'Several intakes over PostgreSQL and S3', script: 'scale/main.ts' },
]

/** Runs one to its end; what it says when it cannot run is part of the page. */
export async function runProgram({ script }: Program): Promise<{ said: string; isMet: boolean }> {
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, script)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  const [code] = await once(child, 'close')
  if (code === 0) return { said: said.trim(), isMet: true }
  const why = errors.split('\n').find((line) => /^\w*Error/.test(line)) ?? errors.trim().slice(-300)
  return { said: `${said.trim()}\nIt ended with exit code ${code}. ${why}`.trim(), isMet: false }
}
