import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, sourceArguments } from './build-fixture.ts'

export interface CommandResult {
  exitCode: number | null
  stdout: string
  stderr: string
}

const MAIN = join(ROOT, 'packages/cli/src/main.ts')

/** The arguments with which Node runs `symup` from source. */
export function symupArguments(args: string[]): string[] {
  return [...sourceArguments(), MAIN, ...args]
}

/** Runs `symup` from source as a process of its own, with nothing of this machine's settings. */
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
      const leak = keysOf(args, env).find((key) => result.stdout.includes(key) || result.stderr.includes(key))
      if (leak !== undefined) fail(new Error('The command has printed a key that it was given.'))
      done({ ...result, exitCode })
    })
    // The command may end before it has read its input.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

/** The keys that a run was given, on whichever way. Short ones stand in other words too. */
function keysOf(args: string[], env: NodeJS.ProcessEnv): string[] {
  const flags = args.filter((_, index) => ['--api-key', '--app-key'].includes(args[index - 1] ?? ''))
  const variables = Object.keys(env).filter((name) => /API_KEY|APP_KEY/.test(name))
  return [...flags, ...variables.map((name) => env[name] ?? '')].filter((key) => key.length > 5)
}
