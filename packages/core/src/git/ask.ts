import { type ExecFileException, execFile, execFileSync } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { t } from '../text.ts'

export interface GitAnswer {
  text?: string
  failure?: string
  /** The command that makes Git trust the directory. */
  remedy?: string
}

const TIMEOUT_MS = 5_000
/**
 * Prevents another user's `.git/config` from running programs, such as a file watcher, hooks, a pager, and remote helpers for missing
 * objects. The watcher setting is empty, because Git versions before 2.36 would run a program named `false` if the value were `false`.
 */
const SAFELY = [
  '--no-pager',
  '-c',
  'core.fsmonitor=',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'submodule.recurse=false',
]
/**
 * Git must not prompt, write or fetch. An empty protocol list also works in Git versions before 2.45. Config files cannot extend the list.
 */
const QUIETLY = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
  LC_ALL: 'C',
}
const MAX_OUTPUT = 64 * 1024 * 1024

/** Runs Git in a directory. The promise never rejects. If Git fails, the result contains the reason. */
export function askGit(directory: string, env: NodeJS.ProcessEnv, args: readonly string[]): Promise<GitAnswer> {
  return new Promise((done) => {
    execFile('git', [...inside(directory), ...args], optionsFor(env), (error, text, complaint) => {
      done(error ? failed(error, complaint) : { text })
    })
  })
}

/** Runs Git synchronously, for values that are needed before other work can start. */
export function askGitSync(directory: string, env: NodeJS.ProcessEnv, args: readonly string[]): GitAnswer {
  try {
    return {
      text: execFileSync('git', [...inside(directory), ...args], {
        ...optionsFor(env),
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    }
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    return failed(error as ExecFileException, stderr)
  }
}

const inside = (directory: string) => ['-C', resolve(directory), ...SAFELY]

function optionsFor(env: NodeJS.ProcessEnv) {
  return {
    // Windows looks for programs in the working directory first, and a repository may contain a `git.exe`, so Git runs in another
    // directory.
    cwd: dirname(process.execPath),
    encoding: 'utf8' as const,
    env: { ...env, ...QUIETLY },
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT,
  }
}

function failed(error: ExecFileException, complaint: string): GitAnswer {
  // Git prints the command with the path already quoted.
  const [remedy] = /git config --global --add safe\.directory .+/.exec(complaint) ?? []
  return { failure: failureOf(error, complaint), ...(remedy !== undefined && { remedy }) }
}

function failureOf(error: ExecFileException, complaint: string): string {
  const { code } = error
  if (code === 'ENOENT') return t`git is not installed`
  if (error.killed || code === 'ETIMEDOUT') return t`git took longer than ${TIMEOUT_MS / 1000} s`
  if (complaint.includes('not a git repository')) return t`no .git directory in the current directory or its parents`
  if (complaint.includes('dubious ownership')) return t`git does not trust the directory, because another user owns it`
  return (
    complaint
      .split('\n', 1)[0]
      ?.replace(/^fatal: /, '')
      .slice(0, 200) || t`git exited with code ${code}`
  )
}
