/** Which proxy to use, as plain values. */
export interface ProxyChoice {
  /** Address of the proxy; absent or empty: none. Without a scheme it is taken as `http://`. */
  proxy?: string
  /** Hosts that are reached without it: `*`, `host`, `.domain`, `*.domain`, each also with `:port`; a host covers its sub-domains. */
  noProxy?: string
}

/**
 * The proxy for an address, if one is to be used.
 * @throws TypeError for a proxy address that is not a URL.
 */
export function proxyFor(endpoint: URL, { proxy, noProxy = '' }: ProxyChoice): URL | undefined {
  if (!proxy || bypasses(endpoint, noProxy)) return undefined
  return new URL(proxy.includes('://') ? proxy : `http://${proxy}`)
}

/** undici's own matching knows no sub-domains and no IPv6 address without brackets: see docs/decisions/001-transport.md. */
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
