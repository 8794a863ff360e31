import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where users run their builds. */
export const TERMINALS = ['no terminal', 'terminal', 'GitHub Actions'] as const
export type Terminal = (typeof TERMINALS)[number]

export interface Ended {
  exitCode: number | null
  /** Both streams in the order they were written. */
  output: string
}

/** Runs a command as a user would there, with nothing of this machine's settings. */
export async function runIn(
  terminal: Terminal,
  command: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  const place = mkdtempSync(join(tmpdir(), 'symup-terminal-'))
  const file = join(place, 'output.txt')
  // One file for both streams keeps their order.
  const out = openSync(file, 'a')
  const [program = '', ...args] = terminal === 'terminal' ? onTerminal(command) : command
  const child = spawn(program, args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: place,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      ...(terminal === 'GitHub Actions' && { CI: 'true', GITHUB_ACTIONS: 'true' }),
      ...env,
    },
    stdio: ['ignore', out, out],
  })
  try {
    const exitCode = await new Promise<number | null>((done, fail) => {
      child.once('error', fail)
      child.once('close', done)
    })
    return { exitCode, output: readFileSync(file, 'utf8') }
  } finally {
    closeSync(out)
    rmSync(place, { recursive: true, force: true })
  }
}

/** `script` (bsdutils, which every Debian has) gives the command a terminal, of 100 columns. */
function onTerminal(command: readonly string[]): string[] {
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  return ['script', '--quiet', '--return', '--command', `stty cols 100 rows 40; exec ${words}`, '/dev/null']
}
