import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Ended {
  exitCode: number | null
  /** The signal that ended it, if it has no exit code. */
  signal: NodeJS.Signals | null
  /** Both streams, in the order of the writes. */
  output: string
}

export interface RunOptions {
  cwd: string
  env: NodeJS.ProcessEnv
  /** Its standard input. Default: empty. */
  input?: string
  started?: (child: ChildProcess) => void
}

/** Runs a program with one file for both streams, which keeps their order. Two pipes would lose it. */
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
    // The program may end before it has read its input.
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
