import type { Commit } from '@symup/intake/inspector'
import type { JSX } from 'preact'

interface Host {
  commit(sha: string): string
  file(sha: string, path: string, line: number | undefined): string
}

const anchor = (line: number | undefined, before = '#L') => (line === undefined ? '' : `${before}${line}`)
const LIKE_GITHUB: Host = {
  commit: (sha) => `/commit/${sha}`,
  file: (sha, path, line) => `/blob/${sha}/${path}${anchor(line)}`,
}
const HOSTS: readonly [RegExp, Host][] = [
  [
    /gitlab/,
    { commit: (sha) => `/-/commit/${sha}`, file: (sha, path, line) => `/-/blob/${sha}/${path}${anchor(line)}` },
  ],
  [
    /bitbucket/,
    { commit: (sha) => `/commits/${sha}`, file: (sha, path, line) => `/src/${sha}/${path}${anchor(line, '#lines-')}` },
  ],
]

/**
 * Converts addresses such as `git@host:org/app.git` to HTTPS URLs.
 * @returns undefined if a browser cannot open the address.
 */
function pageOf(repository: string | null): URL | undefined {
  if (repository === null) return undefined
  const short = /^(?:ssh:\/\/)?(?:[\w.-]+@)([\w.-]+)(?::\d+)?[:/](?!\/)(.+)$/.exec(repository)
  try {
    const url = new URL(short ? `https://${short[1]}/${short[2]}` : repository)
    if (!/^https?:$/.test(url.protocol)) return undefined
    return new URL(url.origin + url.pathname.replace(/\.git\/?$|\/$/, ''))
  } catch {
    return undefined
  }
}

const hostOf = (page: URL) => HOSTS.find(([name]) => name.test(page.hostname))?.[1] ?? LIKE_GITHUB
const SHA = /^[0-9a-f]{7,64}$/i

function commitAddress({ sha, repository }: Commit): string | undefined {
  const page = pageOf(repository)
  return page && SHA.test(sha) ? page.href + hostOf(page).commit(sha) : undefined
}

/**
 * Returns a link to the file at the commit that was built.
 * @returns undefined if the file is not in the repository.
 */
export function sourceAddress(
  commit: Commit | null,
  file: string | undefined,
  line: number | undefined,
): string | undefined {
  const page = commit && pageOf(commit.repository)
  if (!page || !SHA.test(commit.sha) || file === undefined) return undefined
  const path = file
    .replace(/^[a-z][\w+.-]*:\/\/[^/]*\//i, '')
    .replace(/^(?:\.{0,2}\/)+/, '')
    .replace(/\?.*$/, '')
  if (path === '' || /(?:^|\/)(?:\.\.|node_modules|oh_modules)\//.test(path) || !path.includes('.')) return undefined
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return page.href + hostOf(page).file(commit.sha, encoded, line)
}

export function CommitLink({ commit }: { commit: Commit | null }): JSX.Element | null {
  if (commit === null) return null
  const address = commitAddress(commit)
  const short = <code>{commit.sha.slice(0, 8)}</code>
  if (address === undefined) return short
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {short}
    </a>
  )
}
