import type { IncomingHttpHeaders } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Secret } from '../secret.ts'
import { HEADER } from '../wire.ts'
import { proxyFor } from './proxy.ts'
import { reasonOf } from './reasons.ts'
import { openRoad, type RoadInput } from './road.ts'

export interface ProbeInput extends Omit<RoadInput, 'connections'> {
  /** Left out: whether the key is accepted is not asked. */
  apiKey?: Secret
  /** Milliseconds for the whole probe. Default 10,000. */
  timeout?: number
}

export interface ChosenProxy {
  /** Without user name and password. */
  url: string
  /** `--proxy`, or the environment variable. */
  from: string
}

/** What is on the other end of the road. Times are milliseconds from the start of the probe. */
export interface Probe {
  proxy?: ChosenProxy
  /** The host name is looked up; absent for an address, and through a proxy. */
  lookUp?: number
  connected?: number
  /** The TLS handshake is done; absent for http. */
  secured?: number
  answered?: number
  status?: number
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

const DEFAULT_TIMEOUT_MS = 10_000
/** A form without an event: an intake checks the key first and then refuses the form, so nothing is ever stored. */
const BOUNDARY = 'symup-probe'
const EMPTY_FORM = `--${BOUNDARY}--\r\n`

/** Asks the endpoint once, over the same road that an upload takes. An unusable proxy address or `ca` file throws. */
export async function probeEndpoint({ apiKey, timeout = DEFAULT_TIMEOUT_MS, ...input }: ProbeInput): Promise<Probe> {
  const proxy = chosenProxy(input)
  const road = openRoad({ ...input, connections: 1 })
  const probe: Probe = { isIntake: false, key: 'unknown', ...(proxy && { proxy }) }
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  try {
    await new Promise<void>((done, fail) => {
      const request = road.request({
        method: 'POST',
        ...road.options,
        headers: {
          'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
          'Content-Length': Buffer.byteLength(EMPTY_FORM),
          ...(apiKey && { [HEADER.apiKey]: apiKey.reveal() }),
          ...road.headers,
        },
        signal: AbortSignal.timeout(timeout),
      })
      request.once('error', fail)
      request.once('socket', (socket) => {
        socket.once('lookup', (error) => {
          if (!error) probe.lookUp = elapsed()
        })
        socket.once('connect', () => {
          probe.connected = elapsed()
        })
        socket.once('secureConnect', () => {
          probe.secured = elapsed()
          const secure = socket as TLSSocket
          probe.tls = { protocol: secure.getProtocol() ?? '', validTo: secure.getPeerCertificate().valid_to }
        })
      })
      request.once('response', (response) => {
        probe.answered = elapsed()
        probe.status = response.statusCode ?? 0
        readHeaders(response.headers, probe, apiKey !== undefined)
        response.destroy()
        done()
      })
      request.end(EMPTY_FORM)
    })
  } catch (error) {
    const isTimeout = (error as Error).name === 'TimeoutError' || (error as Error).name === 'AbortError'
    probe.failure = isTimeout ? `there was no answer within ${timeout / 1000} s` : reasonOf(error)
  } finally {
    road.close()
  }
  return probe
}

function readHeaders(headers: IncomingHttpHeaders, probe: Probe, asked: boolean): void {
  const { status } = probe
  probe.isIntake = headers[HEADER.requestId.toLowerCase()] !== undefined || status === 401 || status === 403
  if (asked && probe.isIntake) {
    if (status === 401 || status === 403) probe.key = 'refused'
    // The key is good and the form is not.
    else if (status === 400 || status === 422) probe.key = 'accepted'
  }
  const date = Date.parse(headers.date ?? '')
  if (!Number.isNaN(date)) probe.clockSkew = Math.round((Date.now() - date) / 1000)
}

function chosenProxy({ endpoint, proxy, env }: ProbeInput): ChosenProxy | undefined {
  const url = proxyFor(endpoint, proxy, env)
  if (!url) return undefined
  const scheme = endpoint.protocol.slice(0, -1)
  const names = [`${scheme}_proxy`, `${scheme}_proxy`.toUpperCase(), 'all_proxy', 'ALL_PROXY']
  const from = proxy === undefined ? (names.find((name) => env[name]) ?? '') : '--proxy'
  return { url: url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin, from }
}
