import { type Problem, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { askGit, type GitAnswer } from './ask.ts'
import { checkoutOfCi } from './ci-variables.ts'

export interface Repository {
  /** The address of the remote, without credentials. */
  url?: string
  commit?: string
  /** The absolute path of the working tree, or undefined if only CI variables are known. */
  root?: string
  /** The tracked files, relative to `root`, with `/` as the separator. */
  trackedFiles: readonly string[]
}

export interface RepositoryFinding {
  repository: Repository
  problems: Problem[]
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i

/**
 * Queries Git and falls back to CI variables. The promise never rejects. Missing information is reported as a problem.
 * @param directory a directory inside the working tree.
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

function whatIsMissing(
  found: Record<'url' | 'commit' | 'tracked', string | undefined>,
  noRepository: string | undefined,
  failure: string | undefined,
): string | undefined {
  if (Object.values(found).every(Boolean)) return undefined
  if (noRepository !== undefined)
    return t`No Git repository found (${noRepository}), so stack frames will not contain links to your code.`
  if (!found.url) return t`No Git remote found, so stack frames will not contain links to your code.`
  const why = failure ?? t`git did not return a commit`
  return found.commit === undefined
    ? t`No Git commit found (${why}), so stack frames will not contain links to your code.`
    : t`Git could not list the tracked files (${why}), so stack frames will not contain links to your code.`
}

function fixOf({ remedy }: GitAnswer): string {
  if (remedy === undefined) return ''
  return t`Run \`${remedy}\` before the build, or turn off Git information (\`git: false\` or --disable-git).`
}

/** Returns the address of `origin`. If `origin` is a local path, returns the address of the first remote on a server. */
function remoteOf(config: string): string | undefined {
  const remotes = config.split('\n').flatMap((line) => {
    const space = line.indexOf(' ')
    const url = publicRemoteUrl(line.slice(space + 1))
    return space === -1 || url === undefined ? [] : [{ name: line.slice(0, space), url }]
  })
  return (remotes.find(({ name }) => name === 'remote.origin.url') ?? remotes[0])?.url
}

/**
 * Removes secrets from a repository's address: user names and tokens in HTTP(S) addresses, passwords in SSH addresses, and queries. The
 * user name in an SSH address (`git@…`) stays, because the address does not work without it.
 * @returns undefined if the address is a local path.
 */
export function publicRemoteUrl(remote: string): string | undefined {
  const text = remote.trim()
  // SSH addresses have a short form: `git@github.com:org/app.git`.
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
