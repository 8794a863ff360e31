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
