import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A benchmark that prints its own page, and exits with 1 if it misses its goal. */
export interface Program {
  name: string
  title: string
  script: string
}

export const PROGRAMS: readonly Program[] = [
  { name: 'native', title: 'Reading native symbol files', script: 'native/main.ts' },
  {
    name: 'resolve',
    title: 'The first stack of JavaScript with a map of 172 MB',
    script: 'resolve/main.ts',
  },
  { name: 'retrace', title: 'Retracing with a mapping file of 100 MB', script: 'retrace/main.ts' },
]

/** Runs a program to its end. If it cannot run, its explanation becomes part of the page. */
export async function runProgram({ script }: Program): Promise<{ output: string; isMet: boolean }> {
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, script)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  const [code] = await once(child, 'close')
  if (code === 0) return { output: output.trim(), isMet: true }
  const why = errors.split('\n').find((line) => /^\w*Error/.test(line)) ?? errors.trim().slice(-300)
  return { output: `${output.trim()}\nIt ended with exit code ${code}. ${why}`.trim(), isMet: false }
}
