export interface ConnectionChoice {
  /** The path of a PEM file with additional certificates to trust. */
  ca?: string
  /** The address of the proxy. If it is undefined or empty, no proxy is used. Default scheme: `http://`. */
  proxy?: string
  /**
   * Hosts to reach without the proxy: `*`, `host`, `.domain` or `*.domain`, each optionally with `:port`. Each host includes its
   * subdomains.
   */
  noProxy?: string
}

/**
 * Returns the proxy for an address, or undefined if none applies.
 * @throws TypeError if the proxy address is not a URL.
 */
export function proxyFor(endpoint: URL, { proxy, noProxy = '' }: ConnectionChoice): URL | undefined {
  if (!proxy || bypasses(endpoint, noProxy)) return undefined
  return new URL(proxy.includes('://') ? proxy : `http://${proxy}`)
}

/** undici's own matching supports neither subdomains nor IPv6 addresses without brackets: see docs/decisions/001-transport.md. */
function bypasses({ hostname, port, protocol }: URL, list: string): boolean {
  const host = unbracketed(hostname.toLowerCase())
  const actualPort = port || (protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const [, name = '', wantedPort] = /^(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (wantedPort !== undefined && wantedPort !== actualPort) return false
      const domain = unbracketed(name).replace(/^\*?\./, '')
      return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
    })
}

const unbracketed = (host: string) => host.replace(/^\[(.*)\]$/, '$1')
