import type { OutcomeStatus } from '../model/report.ts'
import { HEADER } from '../model/wire.ts'
import { type Problem, type ProblemCode, problem } from '../problems/problems.ts'
import { t } from '../text.ts'
import { errorOf, isSuccess, statusOf } from '../transport/envelope.ts'
import { shownRedirect } from '../transport/reasons.ts'
import type { Answer } from '../transport/request.ts'

export interface AttemptResult {
  status: OutcomeStatus | 'retry'
  problem?: Problem
  /** The intake's id for the request. */
  requestId?: string
  /** The server's unparsed `Retry-After` header. Set only if the status is `retry`. */
  retryAfter?: string
  /** Set if the intake would reject every other artifact in the run for the same reason. */
  stopsRun?: true
}

/** HTTP statuses after which an artifact is not sent again. Source: the protocol page of the service. */
const FINAL: Readonly<Record<number, ProblemCode>> = {
  400: 'rejected',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'endpoint-wrong',
  405: 'endpoint-wrong',
  413: 'too-large',
  422: 'rejected',
}

/** With these problems, the intake would also reject every other artifact in the run. */
const STOPS_RUN: ReadonlySet<ProblemCode> = new Set(['unauthorized', 'forbidden', 'endpoint-wrong'])

interface Asked {
  file: string
  endpoint: string
  clean(text: string): string
}

export function resultOf(answer: Answer, asked: Asked): AttemptResult {
  const requestId = answer.headers[HEADER.requestId.toLowerCase()]
  const result = judge(answer, asked)
  return { ...result, ...(requestId !== undefined && { requestId: asked.clean(requestId).slice(0, 100) }) }
}

function judge(answer: Answer, { file, endpoint, clean }: Asked): AttemptResult {
  const { headers } = answer
  const status = statusOf(answer)
  const refused = (code: ProblemCode, message: string, fix?: string): AttemptResult => ({
    status: 'refused',
    problem: problem(code, message, { file, ...(fix !== undefined && { fix }) }),
    ...(STOPS_RUN.has(code) && { stopsRun: true }),
  })
  const retry = (code: ProblemCode, message: string, retryAfter?: string): AttemptResult => ({
    status: 'retry',
    problem: problem(code, message, { file }),
    ...(retryAfter !== undefined && { retryAfter }),
  })
  if (isSuccess(status)) {
    // A website may return a page with a success status for every path. Such a website is not an intake and has stored nothing.
    if (!isPage(answer)) return { status: 'accepted' }
    return refused('endpoint-wrong', t`The endpoint is not an intake: it returned a web page (HTTP ${status}).`)
  }
  if (status === 409) return { status: 'already-there' }
  const sentence = sentenceOf(answer, clean)
  const code = FINAL[status]
  if (code !== undefined) return refused(code, sentence)
  if (status === 429) return retry('rate-limited', sentence, headers['retry-after'])
  if (status >= 300 && status < 400) {
    // The redirect is not followed, because the key could be sent to another server.
    const target = targetOf(headers.location, endpoint)
    const base = target?.replace(/\/sourcemap\/upload\/?$/, '')
    const fix = base === undefined ? undefined : t`Set the endpoint to ${shownRedirect(clean(base))}.`
    const message =
      target === undefined
        ? t`The endpoint redirects (HTTP ${status}). symup does not follow redirects.`
        : t`The endpoint redirects (HTTP ${status}) to ${shownRedirect(clean(target))}. symup does not follow redirects.`
    return refused('endpoint-wrong', message, fix)
  }
  return retry('server-error', sentence, headers['retry-after'])
}

function targetOf(location: string | undefined, endpoint: string): string | undefined {
  return location === undefined || !URL.canParse(location, endpoint) ? undefined : new URL(location, endpoint).href
}

function sentenceOf(answer: Answer, clean: (text: string) => string): string {
  const { status, headers, body } = answer
  const error = errorOf(answer)
  const plain = headers['content-type']?.startsWith('text/plain') ? body : ''
  const message = printable(clean(error?.message ?? plain))
  // If the HTTP status indicates success, only the error code reveals the error.
  const code = isSuccess(status) && error ? printable(clean(error.code)) : ''
  if (isPage(answer))
    return t`The endpoint returned a web page (HTTP ${status}), probably from a proxy or firewall instead of the intake`
  if (code === '')
    return message === '' ? t`The intake returned HTTP ${status}` : t`The intake returned HTTP ${status}: ${message}`
  return message === ''
    ? t`The intake returned HTTP ${status} with the error ${code}`
    : t`The intake returned HTTP ${status} with the error ${code}: ${message}`
}

/** Detects a web page by its content type or, for simple servers that send no content type, by the beginning of the body. */
function isPage({ headers, body }: Answer): boolean {
  return headers['content-type']?.toLowerCase().startsWith('text/html') === true || /^\s*<(?:!doctype|html)/i.test(body)
}

function printable(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)
}
