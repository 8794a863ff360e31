import { readFileSync } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import * as tls from 'node:tls'
import { proxyAuthorization, proxyFor, TunnelAgent } from './proxy.ts'

/** How requests get to the intake: directly, or through a proxy. */
export interface Road {
  /** What `request` needs to know to reach the intake. */
  options: RequestOptions
  /** Headers for a proxy that reads the request itself. */
  headers: Record<string, string>
  request: typeof httpRequest
  close(): void
}

export interface RoadInput {
  endpoint: URL
  connections: number
  /** Address of the proxy; default: what the environment says. */
  proxy?: string
  /** File with certificates (PEM) to trust besides the usual ones. */
  ca?: string
  env: Readonly<Record<string, string | undefined>>
}

/** Opens a pool of kept-alive connections. A `ca` file that cannot be read and an unusable proxy address throw. */
export function openRoad({ endpoint, connections, proxy: chosen, ca, env }: RoadInput): Road {
  const proxy = proxyFor(endpoint, chosen, env)
  const secure = endpoint.protocol === 'https:'
  const pool = { keepAlive: true, maxSockets: connections }
  const trust = ca === undefined ? {} : { ca: authorities(ca, env) }
  const path = `${endpoint.pathname}${endpoint.search}`
  if (!proxy || secure) {
    const agent = proxy
      ? new TunnelAgent(proxy, { ...pool, ...trust })
      : secure
        ? new HttpsAgent({ ...pool, ...trust })
        : new HttpAgent(pool)
    return {
      options: { ...addressOf(endpoint), path, agent },
      headers: {},
      request: secure ? httpsRequest : httpRequest,
      close: () => agent.destroy(),
    }
  }
  // Plain http: the proxy is sent the full address and reads the request itself (RFC 9112 §3.2.2).
  const agent = proxy.protocol === 'https:' ? new HttpsAgent({ ...pool, ...trust }) : new HttpAgent(pool)
  return {
    options: { ...addressOf(proxy), path: `${endpoint.origin}${path}`, agent },
    headers: { Host: endpoint.host, ...proxyAuthorization(proxy) },
    request: proxy.protocol === 'https:' ? httpsRequest : httpRequest,
    close: () => agent.destroy(),
  }
}

function addressOf({ hostname, port, protocol }: URL): RequestOptions {
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port || (protocol === 'https:' ? 443 : 80) }
}

/** Giving `ca` to TLS replaces the usual authorities, so they are put beside it, with those of NODE_EXTRA_CA_CERTS. */
function authorities(file: string, env: RoadInput['env']): string[] {
  const own = readFileSync(file, 'utf8')
  if ('getCACertificates' in tls) {
    return [...(tls as unknown as { getCACertificates(): string[] }).getCACertificates(), own]
  }
  const extra = env.NODE_EXTRA_CA_CERTS ? [readFileSync(env.NODE_EXTRA_CA_CERTS, 'utf8')] : []
  return [...tls.rootCertificates, ...extra, own]
}
