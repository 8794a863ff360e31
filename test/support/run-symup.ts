import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setLanguage } from '@symup/core/text'
import { runProgram } from '../../packages/cli/src/program.ts'
import { ROOT } from './build-fixture.ts'
import type { CommandResult } from './command.ts'
import { filesOf, keysOf, leakOf } from './keys.ts'

interface Run {
  cwd: string
  env?: NodeJS.ProcessEnv
  input?: string
}

const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8')) as { version: string }

let previous: Promise<unknown> = Promise.resolve()

/**
 * Runs `symup` inside this process, with its own working directory, environment and streams like `symup()` in
 * command.ts, but without starting a process. Runs are queued, because these belong to the whole process.
 */
export function runSymup(args: string[], run: Run): Promise<CommandResult> {
  const result = previous.then(() => runAlone(args, run))
  previous = result.catch(() => undefined)
  return result
}

async function runAlone(args: string[], { cwd, env = {}, input = '' }: Run): Promise<CommandResult> {
  const stdout = sink()
  const stderr = sink()
  const undo = [
    useEnvironment({ PATH: process.env.PATH, SYMUP_BUILT_THREAD: process.env.SYMUP_BUILT_THREAD, ...env }),
    useDirectory(cwd),
    useStream('stdin', Readable.from(input === '' ? [] : [Buffer.from(input)])),
    useStream('stdout', stdout.stream),
    useStream('stderr', stderr.stream),
  ]
  let exitCode: number
  try {
    exitCode = await runProgram(args, version)
  } finally {
    for (const back of undo.reverse()) back()
    setLanguage('en')
  }
  const leak = leakOf(keysOf(args, env), stdout.text() + stderr.text(), filesOf(args, cwd))
  if (leak !== undefined) throw new Error(`A key that the command was given is ${leak}.`)
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
}

function sink() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

function useStream(name: 'stdin' | 'stdout' | 'stderr', value: Readable | Writable): () => void {
  const usual = Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor
  Object.defineProperty(process, name, { configurable: true, enumerable: true, value })
  return () => Object.defineProperty(process, name, usual)
}

function useDirectory(cwd: string): () => void {
  const usual = process.cwd()
  process.chdir(cwd)
  return () => process.chdir(usual)
}

/** Changes the real environment, because `tmpdir()` and child processes ignore a replaced `process.env`. */
function useEnvironment(env: NodeJS.ProcessEnv): () => void {
  const usual = { ...process.env }
  setEnvironment(env)
  return () => setEnvironment(usual)
}

function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value
}
