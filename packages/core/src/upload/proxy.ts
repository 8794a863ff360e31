import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http'
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { connect as tlsConnect } from 'node:tls'

/** Environment variables that name a proxy: lower case first, as curl reads them. */
type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy for an address: `chosen` when given, else `https_proxy` / `http_proxy` by the address's scheme, else `all_proxy`, each
 * also in capitals; none when `no_proxy` names the host. A proxy without a scheme is taken as `http://`. An unusable address throws.
 * @param chosen the `proxy` option; the empty string means "no proxy, whatever the environment says".
 */
export function proxyFor(endpoint: URL, chosen: string | undefined, env: Environment): URL | undefined {
  const read = (name: string) => env[name] || env[name.toUpperCase()]
  if (chosen === undefined && bypasses(endpoint, read('no_proxy') ?? '')) return undefined
  const proxy = chosen ?? (read(`${endpoint.protocol.slice(0, -1)}_proxy`) || read('all_proxy'))
  if (!proxy) return undefined
  return new URL(proxy.includes('://') ? proxy : `http://${proxy}`)
}

/** Whether a `no_proxy` list names the host: `*`, `host`, `.domain`, `*.domain`, each also with `:port`; a host covers its sub-domains. */
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

/** The header that tells a proxy who asks, when its address holds a user name. */
export function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** An https agent whose connections go through a tunnel that the proxy opens (`CONNECT`); the proxy sees no header and no byte. */
export class TunnelAgent extends HttpsAgent {
  readonly #proxy: URL

  constructor(proxy: URL, options: AgentOptions) {
    super(options)
    this.#proxy = proxy
  }

  override createConnection(
    options: RequestOptions & { servername?: string },
    done: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const fail = (error: Error) => done(error, undefined as unknown as Duplex)
    const tunnel = this.#openTunnel(`${hostOf(options.host ?? '')}:${options.port ?? 443}`)
    tunnel.once('error', fail)
    tunnel.once('connect', (response, socket) => {
      if (response.statusCode !== 200) {
        socket.destroy()
        fail(Object.assign(new Error('proxy'), { code: response.statusCode === 407 ? 'PROXY_AUTH' : 'PROXY_REFUSED' }))
        return
      }
      const secure = tlsConnect({ ...(options as object), socket })
      secure.once('error', fail)
      secure.once('secureConnect', () => {
        secure.off('error', fail)
        done(null, secure)
      })
    })
    tunnel.once('response', (response) => {
      response.destroy()
      fail(Object.assign(new Error('proxy'), { code: 'PROXY_REFUSED' }))
    })
    tunnel.end()
  }

  #openTunnel(target: string): ClientRequest {
    const proxy = this.#proxy
    return (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
      method: 'CONNECT',
      host: unbracketed(proxy.hostname),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      path: target,
      headers: { Host: target, ...proxyAuthorization(proxy) },
      agent: false,
      timeout: this.options.timeout,
    }).on('timeout', function (this: ClientRequest) {
      this.destroy(Object.assign(new Error('proxy'), { code: 'CONNECT_TIMEOUT' }))
    })
  }
}

const hostOf = (host: string) => (host.includes(':') ? `[${unbracketed(host)}]` : host)
