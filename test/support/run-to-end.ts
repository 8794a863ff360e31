import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Ended {
  exitCode: number | null
  /** What ended it, if no exit code did. */
  signal: NodeJS.Signals | null
  /** Both streams in the order they were written. */
  output: string
}

export interface RunOptions {
  cwd: string
  env: NodeJS.ProcessEnv
  /** What it reads from its standard input; else nothing. */
  input?: string
  started?: (child: ChildProcess) => void
}

/** Runs a program with one file for both its streams, which keeps their order: what comes by two pipes has none. */
export async function runToEnd(
  program: string,
  args: readonly string[],
  { cwd, env, input, started }: RunOptions,
): Promise<Ended> {
  const place = mkdtempSync(join(tmpdir(), 'symup-output-'))
  const file = join(place, 'output.txt')
  const out = openSync(file, 'a')
  try {
    const child = spawn(program, args, { cwd, env, stdio: [input === undefined ? 'ignore' : 'pipe', out, out] })
    // It may end before it has read its input.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
    started?.(child)
    const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, fail) => {
      child.once('error', fail)
      child.once('close', (...ended) => done(ended))
    })
    return { exitCode, signal, output: readFileSync(file, 'utf8') }
  } finally {
    closeSync(out)
    rmSync(place, { recursive: true, force: true })
  }
}
