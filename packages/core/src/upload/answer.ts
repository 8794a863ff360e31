import { type Problem, type ProblemCode, problem } from '../problems.ts'
import { HEADER } from '../wire.ts'

/** What a server said, or that it said nothing. */
export interface Answer {
  status: number
  contentType: string
  /** Start of the body. */
  body: string
  requestId?: string
  retryAfter?: string
  location?: string
  /** Encodings that the server takes request bodies in (RFC 9110 §12.5.3). */
  acceptEncoding?: string
}

export type Verdict =
  | { kind: 'accepted' }
  | { kind: 'already-there' }
  /** The same request would get the same answer. */
  | { kind: 'final'; problem: Problem; stopsRun: boolean }
  | { kind: 'retry'; problem: Problem; retryAfter?: string }

/** The only statuses that settle a request for good; source: the protocol page, "Answers". */
const FINAL: Readonly<Record<number, ProblemCode>> = {
  400: 'rejected',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'endpoint-wrong',
  405: 'endpoint-wrong',
  413: 'too-large',
  422: 'rejected',
}

/** Refusals that every other artifact of the run would meet too. */
const STOPS_RUN: ReadonlySet<ProblemCode> = new Set(['unauthorized', 'forbidden', 'endpoint-wrong'])

/** @param clean takes secrets out of a text. */
export function judge(answer: Answer, file: string, clean: (text: string) => string): Verdict {
  const { status } = answer
  const said = clean(messageOf(answer))
  if (status >= 200 && status < 300) {
    // A web page that answers every path with itself is not an intake, and nothing has been stored.
    if (!answer.contentType.toLowerCase().startsWith('text/html')) return { kind: 'accepted' }
    const message = `The endpoint answered with a web page (HTTP ${status}), not as an intake.`
    return { kind: 'final', problem: problem('endpoint-wrong', message, { file }), stopsRun: true }
  }
  if (status === 409) return { kind: 'already-there' }
  const code = FINAL[status]
  const sentence = `The intake answered HTTP ${status}${said === '' ? '' : `: ${said}`}`
  if (code !== undefined) {
    return { kind: 'final', problem: problem(code, sentence, { file }), stopsRun: STOPS_RUN.has(code) }
  }
  const retryAfter = answer.retryAfter === undefined ? {} : { retryAfter: answer.retryAfter }
  if (status === 429) return { kind: 'retry', problem: problem('rate-limited', sentence, { file }), ...retryAfter }
  if (status >= 300 && status < 400) {
    // Following it could carry the key to another server.
    const to = answer.location === undefined ? '' : ` to ${clean(answer.location.slice(0, 200))}`
    const message = `The endpoint redirects (HTTP ${status})${to}; redirects are not followed.`
    return { kind: 'retry', problem: problem('endpoint-wrong', message, { file }) }
  }
  return { kind: 'retry', problem: problem('server-error', sentence, { file }), ...retryAfter }
}

/** The `error.message` of the service's envelope, else the start of a plain text body. */
function messageOf({ body, contentType }: Answer): string {
  let text = ''
  try {
    const { error } = JSON.parse(body)
    if (typeof error?.message === 'string') text = error.message
  } catch {
    if (contentType.startsWith('text/plain')) text = body
  }
  // Control characters in a server's text must not steer the terminal.
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)
}

/** Reads the parts of a response that matter here. */
export function answerOf(status: number, headers: Record<string, string | string[] | undefined>, body: string): Answer {
  const header = (name: string) => {
    const value = headers[name.toLowerCase()]
    return Array.isArray(value) ? value[0] : value
  }
  const requestId = header(HEADER.requestId)
  const retryAfter = header('Retry-After')
  const location = header('Location')
  const acceptEncoding = header('Accept-Encoding')
  return {
    status,
    contentType: header('Content-Type') ?? '',
    body,
    ...(requestId !== undefined && { requestId: requestId.slice(0, 100) }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(location !== undefined && { location }),
    ...(acceptEncoding !== undefined && { acceptEncoding }),
  }
}
