import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Secret } from '../model/secret.ts'
import { HEADER } from '../model/wire.ts'
import { t } from '../text.ts'
import { openConnection } from './connection.ts'
import { statusOf } from './envelope.ts'
import { type ConnectionChoice, proxyFor } from './proxy.ts'
import { reasonOf, shownRedirect } from './reasons.ts'
import { type Answer, post } from './request.ts'

export interface ProbeInput extends ConnectionChoice {
  endpoint: URL
  proxyFrom?: string
  /** The key to check, or undefined to skip the check. */
  apiKey?: Secret
}

export interface UsedProxy {
  /** The proxy's address without user name and password. */
  url: string
  /** The source of the address, such as `--proxy` or `HTTPS_PROXY`. */
  from: string
}

/** The results of a probe. Times are in milliseconds from the start of the probe. */
export interface Probe {
  proxy?: UsedProxy
  /**
   * The end of the DNS lookup. `lookUp`, `connected` and `secured` are undefined if the endpoint is an IP address or if a proxy is used.
   */
  lookUp?: number
  connected?: number
  /** The end of the TLS handshake. Undefined for HTTP. */
  secured?: number
  answered?: number
  status?: number
  /** The target of a redirect. The probe does not follow redirects. */
  location?: string
  /** The TLS version and the expiry date of the certificate, for HTTPS without a proxy. */
  tls?: { protocol: string; validTo: string }
  isIntake: boolean
  /** Whether the intake accepts the key. `unknown` if the key was not checked or the response is unclear. */
  key: 'accepted' | 'refused' | 'unknown'
  /**
   * The number of seconds by which this machine's clock is ahead of the server's clock. The `Date` header has a precision of one second.
   */
  clockSkew?: number
  /** A sentence that explains why no response arrived. */
  failure?: string
}

const TIMEOUT_MS = 10_000
/**
 * The boundary of the empty form that a probe sends. An intake checks the key first and then rejects the form, so nothing is stored. The
 * symup intake recognizes probes by this boundary.
 */
export const PROBE_BOUNDARY = 'symup-probe'
export const PROBE_BODY = {
  headers: { 'Content-Type': `multipart/form-data; boundary=${PROBE_BOUNDARY}` },
  content: Buffer.from(`--${PROBE_BOUNDARY}--\r\n`),
}

/**
 * Sends one request to the endpoint over the same kind of connection as an upload.
 * @throws SymupError with `proxy-or-ca-unusable`.
 */
export async function probeEndpoint(input: ProbeInput): Promise<Probe> {
  const { endpoint, apiKey, proxyFrom = t`option proxy`, ...choice } = input
  const probe: Probe = { isIntake: false, key: 'unknown' }
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  const connection = await openConnection({
    endpoint,
    ...choice,
    connections: 1,
    timeouts: { connect: TIMEOUT_MS, idle: TIMEOUT_MS, attempt: TIMEOUT_MS },
    onSocket: (socket) => watch(socket, probe, elapsed),
  })
  const proxy = proxyFor(endpoint, choice)
  if (proxy) probe.proxy = { url: proxy.origin, from: proxyFrom }
  try {
    const answer = await post(connection, {
      path: `${endpoint.pathname}${endpoint.search}`,
      headers: { ...PROBE_BODY.headers, ...(apiKey && { [HEADER.apiKey]: apiKey.reveal() }) },
      body: PROBE_BODY.content,
    })
    probe.answered = elapsed()
    judge(answer, probe, apiKey)
  } catch (error) {
    const isTimeout = /^(CONNECT|IDLE|ATTEMPT)_TIMEOUT$/.test((error as NodeJS.ErrnoException).code ?? '')
    probe.failure = isTimeout ? t`No response arrived within ${TIMEOUT_MS / 1000} s.` : reasonOf(error)
  } finally {
    connection.close()
  }
  return probe
}

function watch(socket: Socket, probe: Probe, elapsed: () => number): void {
  socket.once('lookup', (error) => {
    if (!error) probe.lookUp = elapsed()
  })
  socket.once('connect', () => {
    probe.connected = elapsed()
  })
  socket.once('secureConnect', () => {
    probe.secured = elapsed()
    if (!(socket instanceof TLSSocket)) return
    probe.tls = { protocol: socket.getProtocol() ?? '', validTo: socket.getPeerCertificate().valid_to }
  })
}

function judge(answer: Answer, probe: Probe, apiKey: Secret | undefined): void {
  const { headers } = answer
  const status = statusOf(answer)
  probe.status = answer.status
  const { location } = headers
  if (status >= 300 && status < 400 && location !== undefined)
    probe.location = shownRedirect(apiKey?.redact(location) ?? location)
  probe.isIntake = headers[HEADER.requestId.toLowerCase()] !== undefined || status === 401 || status === 403
  if (apiKey && probe.isIntake) {
    if (status === 401 || status === 403) probe.key = 'refused'
    // With these statuses, the intake accepted the key and rejected only the form.
    else if (status === 400 || status === 422) probe.key = 'accepted'
  }
  const date = Date.parse(headers.date ?? '')
  if (!Number.isNaN(date)) probe.clockSkew = Math.round((Date.now() - date) / 1000)
}
