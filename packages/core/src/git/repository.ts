import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { askGit, type GitAnswer } from './ask.ts'
import { checkoutOfCi } from './ci-variables.ts'

/** The built commit and its repository. */
export interface Repository {
  /** Without credentials. */
  url?: string
  commit?: string
  /** Absolute path of the working tree; absent if only CI variables are known. */
  root?: string
  /** Tracked files, relative to `root`, `/`-separated. */
  trackedFiles: readonly string[]
}

/** The known facts, and one problem that lists the missing ones. */
export interface RepositoryFinding {
  repository: Repository
  problems: Problem[]
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i

/**
 * Asks git, and uses CI variables for the rest. Never rejects: one problem lists all missing facts.
 * @param directory inside the working tree.
 */
export async function findRepository(directory: string, env = process.env): Promise<RepositoryFinding> {
  const ci = checkoutOfCi(env)
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
  const message = whatIsMissing({ url, commit, tracked: tracked.text }, root.failure, head.failure ?? tracked.failure)
  return {
    repository: {
      url: url || undefined,
      commit,
      root: treeRoot || undefined,
      trackedFiles: (tracked.text ?? '').split('\0').filter((file) => file !== ''),
    },
    problems: message === undefined ? [] : [problem('git-incomplete', message, { fix: fixOf(root) })],
  }
}

/** One sentence about all missing facts; undefined if nothing is missing. */
function whatIsMissing(
  found: Record<'url' | 'commit' | 'tracked', string | undefined>,
  noRepository: string | undefined,
  failure: string | undefined,
): string | undefined {
  if (Object.values(found).every(Boolean)) return undefined
  if (noRepository !== undefined)
    return t`No Git repository found (${noRepository}), so stack frames will not link to your code.`
  if (!found.url) return t`No Git remote found, so stack frames will not link to your code.`
  const why = failure ?? t`git did not return a commit`
  return found.commit === undefined
    ? t`No Git commit found (${why}), so stack frames will not link to your code.`
    : t`Git could not list the tracked files (${why}), so stack frames will not link to your code.`
}

/** Empty if there is no fix. */
function fixOf({ remedy }: GitAnswer): string {
  if (remedy === undefined) return ''
  return t`Run \`${remedy}\` before the build, or turn off Git information (\`git: false\` or --disable-git).`
}

/** The remote `origin`, otherwise the first with an address on a server. */
function remoteOf(config: string): string | undefined {
  const remotes = config.split('\n').flatMap((line) => {
    const space = line.indexOf(' ')
    const url = publicRemoteUrl(line.slice(space + 1))
    return space === -1 || url === undefined ? [] : [{ name: line.slice(0, space), url }]
  })
  return (remotes.find(({ name }) => name === 'remote.origin.url') ?? remotes[0])?.url
}

/**
 * A repository's address without secrets: user names and tokens of http(s), passwords of ssh, queries. The user of an
 * ssh address (`git@…`) stays, because the address needs it.
 * @returns undefined if the address is not on a server (a local path).
 */
export function publicRemoteUrl(remote: string): string | undefined {
  const text = remote.trim()
  // The short form of ssh: `git@github.com:org/app.git`.
  const short = /^(?:([\w.-]+)(?::[^@/]*)?@)?([\w.-]{2,}):(?!\/\/)([^\s?#]+)$/.exec(text)
  if (short && !/^[a-z]:[\\/]/i.test(text))
    return `${short[1] === undefined ? '' : `${short[1]}@`}${short[2]}:${short[3]}`
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return undefined
  }
  if (!['http:', 'https:', 'ssh:', 'git:'].includes(url.protocol) || url.hostname === '') return undefined
  url.password = ''
  if (url.protocol !== 'ssh:') url.username = ''
  url.search = ''
  url.hash = ''
  return url.href
}
