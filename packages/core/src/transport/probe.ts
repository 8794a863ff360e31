import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Secret } from '../model/secret.ts'
import { HEADER } from '../model/wire.ts'
import { t } from '../text.ts'
import { openConnection } from './connection.ts'
import { statusOf } from './envelope.ts'
import { type ProxyChoice, proxyFor } from './proxy.ts'
import { reasonOf } from './reasons.ts'
import { shownRedirect } from './redirect.ts'
import { type Answer, post } from './request.ts'

export interface ProbeInput extends ProxyChoice {
  endpoint: URL
  /** Where the proxy's address came from. */
  proxyFrom?: string
  /** File with additional certificates (PEM) to trust. */
  ca?: string
  /** Left out: whether the key is accepted is not asked. */
  apiKey?: Secret
}

export interface UsedProxy {
  /** Without user name and password. */
  url: string
  /** Where its address came from, such as `--proxy` or `HTTPS_PROXY`. */
  from: string
}

/** What is on the other end of the connection. Times are milliseconds from the start of the probe. */
export interface Probe {
  proxy?: UsedProxy
  /** The host name is looked up; absent for an address, and through a proxy, as the next two are. */
  lookUp?: number
  connected?: number
  /** The TLS handshake is done; absent for http. */
  secured?: number
  answered?: number
  status?: number
  /** Where the endpoint redirects to; the probe does not go there. */
  location?: string
  /** The TLS version and the certificate's last day, for https without a proxy. */
  tls?: { protocol: string; validTo: string }
  /** Whether an intake answered, rather than something else. */
  isIntake: boolean
  /** Whether it takes the key; `unknown` when that was not asked, or cannot be told from the answer. */
  key: 'accepted' | 'refused' | 'unknown'
  /** Seconds by which this machine's clock is ahead of the server's; to the second, as the `Date` header is. */
  clockSkew?: number
  /** Why there was no answer, as the end of a sentence. */
  failure?: string
}

const TIMEOUT_MS = 10_000
/** A form without an event: an intake checks the key first and then refuses the form, so nothing is ever stored. Our own intake knows it by this. */
export const PROBE_BOUNDARY = 'symup-probe'
export const PROBE_BODY = {
  headers: { 'Content-Type': `multipart/form-data; boundary=${PROBE_BOUNDARY}` },
  content: Buffer.from(`--${PROBE_BOUNDARY}--\r\n`),
}

/**
 * Asks the endpoint once, over the same connection that an upload takes.
 * @throws SymupError with `proxy-or-ca-unusable`.
 */
export async function probeEndpoint(input: ProbeInput): Promise<Probe> {
  const { endpoint, apiKey, ca, proxyFrom = t`option proxy`, ...choice } = input
  const probe: Probe = { isIntake: false, key: 'unknown' }
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  const connection = await openConnection({
    endpoint,
    ...choice,
    ...(ca !== undefined && { ca }),
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
    probe.failure = isTimeout ? t`there was no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error)
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
    // The key is good and the form is not.
    else if (status === 400 || status === 422) probe.key = 'accepted'
  }
  const date = Date.parse(headers.date ?? '')
  if (!Number.isNaN(date)) probe.clockSkew = Math.round((Date.now() - date) / 1000)
}
