import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import * as tls from 'node:tls'
import { problem, SymupError } from '../problems.ts'
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

/**
 * Opens a pool of kept-alive connections.
 * @throws SymupError with `road-unusable` for a proxy address or a `ca` file that cannot be used.
 */
export function openRoad({ endpoint, connections, proxy: chosen, ca, env }: RoadInput): Road {
  const proxy = usableProxy(endpoint, chosen, env)
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

function usableProxy(endpoint: URL, chosen: string | undefined, env: RoadInput['env']): URL | undefined {
  let proxy: URL | undefined
  try {
    proxy = proxyFor(endpoint, chosen, env)
  } catch {
    // The address is not quoted: it may hold a password.
    throw unusable('The proxy address is no URL.')
  }
  if (proxy && !PROXY_PROTOCOLS.has(proxy.protocol)) {
    throw unusable(`The proxy speaks ${proxy.protocol.slice(0, -1)}; only http and https proxies can be used.`)
  }
  return proxy
}

const PROXY_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:'])

function unusable(message: string, file?: string): SymupError {
  return new SymupError(message, [problem('road-unusable', message, file === undefined ? {} : { file })])
}

/** Giving `ca` to TLS replaces the usual authorities, so they are put beside it, with those of NODE_EXTRA_CA_CERTS. */
function authorities(file: string, env: RoadInput['env']): string[] {
  const own = certificates(file)
  if ('getCACertificates' in tls) {
    return [...(tls as unknown as { getCACertificates(): string[] }).getCACertificates(), own]
  }
  const extra = env.NODE_EXTRA_CA_CERTS ? [certificates(env.NODE_EXTRA_CA_CERTS)] : []
  return [...tls.rootCertificates, ...extra, own]
}

/** A file without a certificate would be taken in silence, and every connection refused later. */
function certificates(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw unusable(`It cannot be read (${(error as NodeJS.ErrnoException).code}).`, file)
  }
  try {
    new X509Certificate(text)
  } catch {
    throw unusable('It holds no certificate in PEM form.', file)
  }
  return text
}
