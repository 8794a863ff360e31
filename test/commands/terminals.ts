import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, runToEnd } from '../support/run-to-end.ts'

/** Where users run their builds. */
export const TERMINALS = ['no terminal', 'terminal', 'GitHub Actions'] as const
export type Terminal = (typeof TERMINALS)[number]

/** Runs a command as a user would, without any settings of this machine. */
export async function runIn(
  terminal: Terminal,
  command: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  const place = mkdtempSync(join(tmpdir(), 'symup-terminal-'))
  const [program = '', ...args] = terminal === 'terminal' ? onTerminal(command) : command
  try {
    return await runToEnd(program, args, {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: place,
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        ...(terminal === 'GitHub Actions' && { CI: 'true', GITHUB_ACTIONS: 'true' }),
        ...env,
      },
    })
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** `script` (from bsdutils, which every Debian has) runs the command in a terminal with 100 columns. */
function onTerminal(command: readonly string[]): string[] {
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  return ['script', '--quiet', '--return', '--command', `stty cols 100 rows 40; exec ${words}`, '/dev/null']
}
