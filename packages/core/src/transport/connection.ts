import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP, Socket } from 'node:net'
import * as tls from 'node:tls'
import type { Dispatcher, buildConnector as UndiciConnector, Pool as UndiciPool } from 'undici'
import { problem, SymupError } from '../problems/problems.ts'
import { whyUnreadable } from '../problems/unreadable.ts'
import { t } from '../text.ts'
import { TransportError } from './errors.ts'
import { type ConnectionChoice, proxyFor } from './proxy.ts'

/** Time limits for one request, in milliseconds. */
export interface Timeouts {
  /** The time limit for establishing a connection, including TLS and the proxy. */
  connect: number
  /**
   * The maximum time during which no byte is sent or received, including the wait for the response. A response must also be complete within
   * this time.
   */
  idle: number
  /** The time from the start of the request to the last byte of the response. */
  attempt: number
}

/** The intake responds within 10 s of the last byte, but a proxy may take longer. */
export const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, idle: 60_000, attempt: 15 * 60_000 }

export interface ConnectionInput extends ConnectionChoice {
  endpoint: URL
  connections: number
  timeouts: Timeouts
  /** Called when a socket to the endpoint starts connecting. Sockets to a proxy are not reported. */
  onSocket?: (socket: Socket) => void
}

/** A pool of keep-alive connections to one server, directly or through a proxy. */
export interface Connection {
  dispatcher: Dispatcher
  origin: string
  /** The proxy's address without its password. */
  proxy?: string
  /** The time limit in milliseconds for one request, including its response. */
  attemptTimeout: number
  /** The time limit in milliseconds from the start of a response to its end. */
  answerTimeout: number
  close(): void
}

type Connector = UndiciConnector.connector

/**
 * Opens a pool that creates connections on demand.
 * @throws SymupError with `proxy-or-ca-unusable` for an unusable proxy address or `ca` file.
 */
export async function openConnection(input: ConnectionInput): Promise<Connection> {
  const { endpoint, connections, timeouts, ca, onSocket } = input
  const proxy = usableProxy(input)
  // undici's connect timeout is replaced by a timer that also covers the proxy's response.
  const socketOptions = { timeout: 0, ...(ca !== undefined && { ca: authorities(ca) }) }
  // undici is loaded only for uploads. The import specifies a file, because Bun replaces the bare module name with its own implementation,
  // which lacks pools and proxies.
  const { Pool, ProxyAgent, buildConnector } = await import('undici/index.js')
  const sockets = new Set<Socket>()
  const guarded = (connector: Connector, onStart?: (socket: Socket) => void) =>
    guardedConnector(connector, timeouts, (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      onStart?.(socket)
    })
  // An unused connection must be closed before the idle timeout of its socket.
  const keepAlive = Math.min(4000, Math.ceil(timeouts.idle / 2))
  const pool: UndiciPool.Options = {
    connections,
    // undici's timers are disabled, because they react only to complete buffers. The socket's own timer reacts to every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAlive,
    keepAliveMaxTimeout: keepAlive,
  }
  const dispatcher = proxy
    ? new ProxyAgent({
        ...pool,
        uri: proxy.href,
        ...tokenOf(proxy),
        // A plain HTTP request is sent to the proxy without a tunnel and contains the full address (RFC 9112 §3.2.2).
        proxyTunnel: endpoint.protocol === 'https:',
        requestTls: socketOptions,
        proxyTls: socketOptions,
        clientFactory: (origin, options) =>
          new Pool(origin, { connect: guarded((options as { connect: Connector }).connect) }),
        factory: (origin, options) =>
          new Pool(origin, { ...options, ...pool, connect: guarded((options as { connect: Connector }).connect) }),
      })
    : new Pool(endpoint.origin, { ...pool, connect: guarded(buildConnector(socketOptions), onSocket) })
  return {
    dispatcher,
    origin: endpoint.origin,
    ...(proxy && { proxy: proxy.origin }),
    attemptTimeout: timeouts.attempt,
    answerTimeout: timeouts.idle,
    close() {
      void dispatcher.destroy()
      // undici does not close sockets that have not finished connecting.
      for (const socket of sockets) socket.destroy()
    },
  }
}

function usableProxy(input: ConnectionInput): URL | undefined {
  let proxy: URL | undefined
  try {
    proxy = proxyFor(input.endpoint, input)
  } catch {
    // The message does not contain the address, because the address may contain a password.
    throw unusable(t`The proxy address is not a valid URL.`)
  }
  if (proxy && !PROXY_PROTOCOLS.has(proxy.protocol)) {
    throw unusable(
      t`The proxy uses the ${proxy.protocol.slice(0, -1)} protocol, but symup supports only http and https proxies.`,
    )
  }
  return proxy
}

const PROXY_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:'])

/**
 * Returns the authorization for a proxy. undici itself creates the authorization only if the address has both a user name and a password.
 */
function tokenOf({ username, password }: URL): { token?: string } {
  if (username === '' && password === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { token: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/**
 * Removes the TLS server name if it is an IP address. undici sets the server name to the proxy's host, and Node warns about IP addresses
 * (DEP0123).
 */
function withoutAddress(options: UndiciConnector.Options): UndiciConnector.Options {
  const isAddress = isIP(options.servername?.replace(/^\[|\]$/g, '') ?? '') !== 0
  return isAddress ? { ...options, servername: '' } : options
}

/**
 * Wraps a connector to enforce the connect timeout and the idle timeout. Errors are converted to a {@link TransportError} or a system
 * error, because undici retries its own errors forever.
 */
function guardedConnector(
  connector: Connector,
  { connect, idle }: Timeouts,
  onStart: (socket: Socket) => void,
): Connector {
  return (options, done) => {
    let socket: Socket | undefined
    let isSettled = false
    const settle = (error: Error | null, connected?: Socket) => {
      clearTimeout(timer)
      if (isSettled) {
        connected?.destroy()
        return
      }
      isSettled = true
      if (connected) {
        connected.setTimeout(idle, () => connected.destroy(new TransportError('IDLE_TIMEOUT')))
        done(null, connected)
      } else done(TransportError.from(error), null)
    }
    const timer = setTimeout(() => {
      socket?.destroy()
      settle(new TransportError('CONNECT_TIMEOUT'))
    }, connect)
    // The declared type of the connector is incomplete. The connector actually returns the socket or, for a tunnel, a promise.
    const started = connector(withoutAddress(options), (error, connected) =>
      settle(error, connected ?? undefined),
    ) as unknown
    if (!(started instanceof Socket)) return
    socket = started
    onStart(socket)
  }
}

/**
 * Returns the certificate authorities to trust if a `ca` file is set. Authorities passed to TLS replace the default ones, so the result
 * includes the defaults. Node versions before 22.15 do not expose the certificates from NODE_EXTRA_CA_CERTS, so symup reads that file
 * itself.
 * @throws SymupError if the file is unusable.
 */
function authorities(file: string): string[] {
  const own = certificates(file)
  if ('getCACertificates' in tls) {
    return [...(tls as unknown as { getCACertificates(): string[] }).getCACertificates(), own]
  }
  const extra = process.env.NODE_EXTRA_CA_CERTS
  return [...tls.rootCertificates, ...(extra ? [certificates(extra)] : []), own]
}

/**
 * Checks that the file contains a certificate. TLS itself would accept a file without certificates, but every connection would then fail.
 */
function certificates(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw unusable(whyUnreadable(error), file)
  }
  try {
    new X509Certificate(text)
  } catch {
    throw unusable(t`The file contains no certificate in PEM format.`, file)
  }
  return text
}

function unusable(message: string, file?: string): SymupError {
  return new SymupError(message, [problem('proxy-or-ca-unusable', message, file === undefined ? {} : { file })])
}
