import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { ApiError, type ErrorCode } from '../errors.ts'

type FaultKind = '413' | '429' | '500' | '503' | 'reset' | 'slow'

export interface Fault {
  kind: FaultKind
  /** Fraction of requests to affect, from 0 to 1. */
  rate: number
  /** In seconds, for 429 and 503. */
  retryAfter: number
  /** Response delay in milliseconds, for `slow`. */
  delay: number
  /** Number of requests to affect; undefined means no limit. */
  times?: number
  /** Path of the affected route, or a prefix for several routes (`/channel/*`). Default: the `standard` route of the fault switch. */
  route?: string
}

/** Request header that specifies a fault for this request only. */
export const FAULT_HEADER = 'x-symup-fault'

const KINDS: readonly FaultKind[] = ['413', '429', '500', '503', 'reset', 'slow']
const MAX_DELAY_MS = 600_000
/** Number of body bytes to read before the connection is reset, while the client is still sending. */
const BYTES_BEFORE_RESET = 1024

/**
 * The format is `kind[;rate=0..1][;retry-after=seconds][;delay=milliseconds][;times=n][;route=/path]`, for example
 * `429;retry-after=2;rate=0.3`.
 * @throws RangeError that describes the problem if the fault is invalid.
 */
export function parseFault(text: string): Fault {
  const [kind = '', ...settings] = text.split(';').map((part) => part.trim())
  if (!KINDS.includes(kind as FaultKind))
    throw new RangeError(`The fault must be one of ${KINDS.join(', ')}, but is "${kind}".`)
  const fault: Fault = { kind: kind as FaultKind, rate: 1, retryAfter: 1, delay: 2000 }
  for (const setting of settings) {
    const [name, value = ''] = setting.split('=', 2)
    const number = value === '' ? Number.NaN : Number(value)
    if (name === 'rate' && number >= 0 && number <= 1) fault.rate = number
    else if (name === 'retry-after' && number >= 0) fault.retryAfter = number
    else if (name === 'delay' && number >= 0 && number <= MAX_DELAY_MS) fault.delay = number
    else if (name === 'times' && Number.isInteger(number) && number > 0) fault.times = number
    else if (name === 'route' && (value.startsWith('/') || value === '*')) fault.route = value
    else {
      const known = 'rate=0..1, retry-after=seconds, delay=milliseconds, times=n or route=/path'
      throw new RangeError(`The setting "${setting}" of the fault must be ${known}.`)
    }
  }
  return fault
}

export function describeFault({ kind, rate, retryAfter, delay, times, route }: Fault): string {
  return [
    kind,
    ...(rate === 1 ? [] : [`rate=${rate}`]),
    ...(kind === '429' || kind === '503' ? [`retry-after=${retryAfter}`] : []),
    ...(kind === 'slow' ? [`delay=${delay}`] : []),
    ...(times === undefined ? [] : [`times=${times}`]),
    ...(route === undefined ? [] : [`route=${route}`]),
  ].join(';')
}

export type FaultSwitch = ReturnType<typeof createFaultSwitch>

/**
 * @param paths paths of all routes that support faults, as registered in the router.
 * @param standard default route for faults that do not specify a route.
 * @throws RangeError if a fault matches no route. The returned methods also throw this error.
 */
export function createFaultSwitch(first: Fault | readonly Fault[], paths: readonly string[], standard: string) {
  const checked = (given: readonly Fault[]) => {
    const lost = given
      .map(({ route = standard }) => route)
      .find((route) => !paths.some((path) => mayStrike(route, path)))
    // Without this check, a test could pass even though no fault ever occurs.
    if (lost !== undefined) throw new RangeError(`No operation uses the route ${lost}.`)
    return given
  }
  let faults = checked([first].flat())
  return {
    current: () => faults.at(0),
    all: () => faults,
    set: (next: Fault | readonly Fault[] | undefined) => {
      faults = checked(next ? [next].flat() : [])
    },
    /** Adds a fault. If several faults match a route, the oldest one applies until it ends. */
    add: (next: Fault) => {
      faults = [...faults, ...checked([next])]
    },
    /**
     * A fault in the request's header takes precedence over faults for the path.
     * @param path decoded path without a trailing slash.
     * @throws ApiError if the fault is an error response.
     */
    async apply(request: IncomingMessage, reply: FastifyReply, path: string): Promise<void> {
      const asked = request.headers[FAULT_HEADER]
      if (typeof asked === 'string') return misbehave(parseAsked(asked), request, reply)
      const current = faults.find(({ route = standard }) => strikes(route, path))
      if (!current || Math.random() >= current.rate) return
      const { times } = current
      if (times !== undefined) {
        const rest = times > 1 ? [{ ...current, times: times - 1 }] : []
        faults = faults.flatMap((fault) => (fault === current ? rest : [fault]))
      }
      await misbehave(current, request, reply)
    },
  }
}

function strikes(route: string, path: string): boolean {
  return route.endsWith('*') ? path.startsWith(route.slice(0, -1)) : path === route
}

/** Parameters such as `:trigger_id` match any segment that does not start with `:` or `{`. */
function mayStrike(route: string, path: string): boolean {
  if (route.endsWith('*')) return strikes(route, path)
  return new RegExp(`^${path.replace(/:\w+/g, '[^/:{][^/]*')}$`).test(route)
}

function parseAsked(text: string): Fault {
  try {
    return parseFault(text)
  } catch (error) {
    const { message } = error as Error
    throw new ApiError('InvalidParameter', {
      en: `The ${FAULT_HEADER} header is not valid. ${message}`,
      zh: `请求头 ${FAULT_HEADER} 无效。${message}`,
    })
  }
}

const CODES: Readonly<Partial<Record<FaultKind, ErrorCode>>> = {
  413: 'EntityTooLarge',
  429: 'RequestTooFrequently',
  500: 'InternalError',
  503: 'ServiceUnavailable',
}

async function misbehave(fault: Fault, request: IncomingMessage, reply: FastifyReply): Promise<void> {
  const { kind, delay, retryAfter } = fault
  if (kind === 'slow') {
    await wait(delay)
    return
  }
  const code = CODES[kind]
  if (code !== undefined) {
    const headers: Record<string, string> =
      kind === '429' || kind === '503' ? { 'Retry-After': String(retryAfter) } : {}
    throw new ApiError(code, undefined, headers)
  }
  let read = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    read += (chunk as Buffer).length
    if (read >= BYTES_BEFORE_RESET) break
  }
  reply.hijack()
  request.socket.resetAndDestroy()
}
