import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './build-fixture.ts'
import { filesOf, keysOf, leakOf } from './keys.ts'

export interface CommandResult {
  exitCode: number | null
  stdout: string
  stderr: string
}

/** The arguments for Node to run the bundled `symup` (`built-command.ts`). */
export function symupArguments(args: string[]): string[] {
  return [join(ROOT, 'packages/cli/dist/main.js'), ...args]
}

/** Runs `symup` in its own process, without any settings of this machine. */
export function symup(
  args: string[],
  { cwd, env = {}, input = '' }: { cwd: string; env?: NodeJS.ProcessEnv; input?: string },
): Promise<CommandResult> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, symupArguments(args), { cwd, env: { PATH: process.env.PATH, ...env } })
    const result: CommandResult = { exitCode: null, stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (result.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (result.stderr += text))
    child.once('error', fail)
    child.once('close', (exitCode) => {
      const leak = leakOf(keysOf(args, env), result.stdout + result.stderr, filesOf(args, cwd))
      if (leak !== undefined) fail(new Error(`A key that the command was given is ${leak}.`))
      done({ ...result, exitCode })
    })
    // The command may end before it has read its input.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}
