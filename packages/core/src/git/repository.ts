import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { askGit, type GitAnswer } from './ask.ts'
import { checkoutOfCi } from './ci-variables.ts'
import { publicRemoteUrl } from './remote-url.ts'

/** The commit that is built and where it can be found. */
export interface Repository {
  /** Without credentials. */
  url?: string
  commit?: string
  /** Absolute path of the working tree; absent when only CI told of it. */
  root?: string
  /** Files under version control, relative to `root`, `/`-separated. */
  trackedFiles: readonly string[]
}

export interface RepositoryInput {
  /** A directory inside the working tree. */
  directory: string
  /** Default: `process.env`. */
  env?: NodeJS.ProcessEnv
}

/** What could be found out, and one problem for all that could not. */
export interface RepositoryFinding {
  repository: Repository
  problems: Problem[]
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i

/**
 * Asks git, and for what it does not tell the CI system's variables. Never fails: everything that is missing is one problem.
 */
export async function findRepository({ directory, env = process.env }: RepositoryInput): Promise<RepositoryFinding> {
  const ci = checkoutOfCi(env)
  const missing = new Map<string, string>()
  const ask = (...args: string[]) => askGit(directory, env, args)
  const [root, head, remotes, tracked] = await Promise.all([
    ask('rev-parse', '--show-toplevel'),
    ask('rev-parse', 'HEAD'),
    ask('config', '--get-regexp', '^remote\\..*\\.url$'),
    ask('ls-files', '-z', '--full-name', ':/'),
  ])
  const treeRoot = root.text?.trim()
  const commit = [head.text?.trim(), ci?.commit].find((hash) => hash !== undefined && COMMIT.test(hash))
  const url = remoteOf(remotes.text ?? '') ?? (ci?.url && publicRemoteUrl(ci.url))
  if (commit === undefined) missing.set(t`the commit`, root.failure ?? head.failure ?? t`git names none`)
  if (!url) missing.set(t`the repository's address`, root.failure ?? t`git has no remote on a server`)
  if (tracked.text === undefined) missing.set(t`the files under version control`, root.failure ?? tracked.failure ?? '')
  const reasons = [...new Set(missing.values())].join(t`; `)
  const message = t`Not known: ${[...missing.keys()].join(t`, `)} (${reasons}). Stacks still resolve, but without links to the code.`
  return {
    repository: {
      ...(url && { url }),
      ...(commit !== undefined && { commit }),
      ...(treeRoot && { root: treeRoot }),
      trackedFiles: (tracked.text ?? '').split('\0').filter((file) => file !== ''),
    },
    problems: missing.size === 0 ? [] : [problem('git-incomplete', message, fixOf(root))],
  }
}

/** @returns nothing where the catalogue's fix is right. */
function fixOf({ remedy }: GitAnswer): { fix?: string } {
  if (remedy === undefined) return {}
  return { fix: t`Run \`${remedy}\` before the build, or turn this off (option \`git: false\`, --disable-git).` }
}

/** The remote `origin`, else the first whose address is on a server. */
function remoteOf(config: string): string | undefined {
  const remotes = config.split('\n').flatMap((line) => {
    const space = line.indexOf(' ')
    const url = publicRemoteUrl(line.slice(space + 1))
    return space === -1 || url === undefined ? [] : [{ name: line.slice(0, space), url }]
  })
  return (remotes.find(({ name }) => name === 'remote.origin.url') ?? remotes[0])?.url
}
