import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { SymbolUpload } from '../model/plan.ts'
import { problem } from '../problems/problems.ts'
import { resultOf } from './attempt-result.ts'
import { Breaker } from './breaker.ts'
import { openHeld } from './held.ts'
import { partHashes } from './ledger.ts'
import { pause, retryDelay } from './retry.ts'

// Tests what a response means, when the next attempt happens, and when attempts stop.

afterEach(() => vi.useRealTimers())

const json = { 'content-type': 'application/json' }
const answered = (status: number, body = '', headers: Record<string, string> = json) =>
  resultOf(
    { status, body, headers },
    {
      file: 'dist/a.js',
      endpoint: 'https://intake.example/base/sourcemap/upload',
      clean: (text) => text.replaceAll('secret', '***'),
    },
  )
const errorBody = (message: unknown) => JSON.stringify({ error: { message } })

describe('a response from the intake', () => {
  it.each<[number, string, string | undefined, boolean]>([
    [200, 'accepted', undefined, false],
    [204, 'accepted', undefined, false],
    [299, 'accepted', undefined, false],
    [409, 'already-there', undefined, false],
    [400, 'refused', 'rejected', false],
    [401, 'refused', 'unauthorized', true],
    [403, 'refused', 'forbidden', true],
    [404, 'refused', 'endpoint-wrong', true],
    [405, 'refused', 'endpoint-wrong', true],
    [413, 'refused', 'too-large', false],
    [422, 'refused', 'rejected', false],
    [429, 'retry', 'rate-limited', false],
    [300, 'refused', 'endpoint-wrong', true],
    [399, 'refused', 'endpoint-wrong', true],
    [418, 'retry', 'server-error', false],
    [500, 'retry', 'server-error', false],
    [199, 'retry', 'server-error', false],
  ])('interprets HTTP %i as %s, %s', (status, outcome, code, stopsRun) => {
    const result = answered(status)
    expect([result.status, result.problem?.code, result.stopsRun ?? false]).toEqual([outcome, code, stopsRun])
    if (result.problem) expect(result.problem.file).toBe('dist/a.js')
  })

  const failed = (code: unknown, message = 'no') => JSON.stringify({ request_id: 'x', error: { code, message } })

  // The error code decides the result. The HTTP status is only informational.
  it.each<[string, string, string, boolean]>([
    ['InvalidParameter', 'refused', 'rejected', false],
    ['ReferenceExist', 'refused', 'rejected', false],
    ['UndonedOrderExist', 'refused', 'rejected', false],
    ['BalanceNotEnough', 'refused', 'rejected', false],
    ['SomethingNew', 'refused', 'rejected', false],
    ['Unauthorized', 'refused', 'unauthorized', true],
    ['AccessDenied', 'refused', 'forbidden', true],
    ['RouteNotFound', 'refused', 'endpoint-wrong', true],
    ['MethodNotAllowed', 'refused', 'endpoint-wrong', true],
    ['EntityTooLarge', 'refused', 'too-large', false],
    ['RequestLocked', 'retry', 'server-error', false],
    ['RequestTooFrequently', 'retry', 'rate-limited', false],
    ['InternalError', 'retry', 'server-error', false],
    ['ServiceUnavailable', 'retry', 'server-error', false],
  ])('interprets HTTP 200 with the error %s as %s, %s', (error, outcome, code, stopsRun) => {
    const result = answered(200, failed(error))
    expect([result.status, result.problem?.code, result.stopsRun ?? false]).toEqual([outcome, code, stopsRun])
    expect(result.problem?.message).toBe(`The intake returned HTTP 200 with the error ${error}: no`)
  })

  it('reads the retry time from HTTP 200 with an error, and hides secrets', () => {
    expect(answered(200, failed('RequestTooFrequently'), { 'retry-after': '7' }).retryAfter).toBe('7')
    expect(answered(200, failed('secret\n', '')).problem?.message).toBe(
      'The intake returned HTTP 200 with the error ***',
    )
    expect(answered(200, failed(7)).problem?.message).toBe('The intake returned HTTP 200: no')
    expect(answered(200, '{"error":"no"}')).toMatchObject({ status: 'refused', problem: { code: 'rejected' } })
  })

  it.each<[number, string, string, string]>([
    [400, 'RequestTooFrequently', 'retry', 'rate-limited'],
    [500, 'Unauthorized', 'refused', 'unauthorized'],
    [409, 'InternalError', 'retry', 'server-error'],
    // The specification defines no HTTP status for these codes, so the received status is more reliable.
    [413, 'InvalidParameter', 'refused', 'too-large'],
    [503, 'SomethingNew', 'retry', 'server-error'],
    [500, 'OK', 'retry', 'server-error'],
  ])('interprets HTTP %i with the error %s as %s, %s', (status, error, outcome, code) => {
    expect(answered(status, failed(error))).toMatchObject({ status: outcome, problem: { code } })
  })

  it.each(['', 'ok', 'null', '[]', '{}', '{"error":null}', failed('OK'), '{"request_id":"x","data":{}}'])(
    'accepts HTTP 200 with the body %j',
    (body) => expect(answered(200, body)).toEqual({ status: 'accepted' }),
  )

  it.each<[string, string, Record<string, string>, string]>([
    ['contains a reason', errorBody('no room'), json, 'The intake returned HTTP 400: no room'],
    ['contains no reason', '', json, 'The intake returned HTTP 400'],
    ['is not JSON', 'no room', json, 'The intake returned HTTP 400'],
    ['contains a reason that is not text', errorBody(5), json, 'The intake returned HTTP 400'],
    [
      'is plain text',
      ' no room\n',
      { 'content-type': 'text/plain; charset=utf-8' },
      'The intake returned HTTP 400: no room',
    ],
    [
      'is a web page',
      '<p>',
      { 'content-type': 'text/html' },
      'The endpoint returned a web page (HTTP 400), probably from a proxy or firewall instead of the intake',
    ],
    ['has no content type', 'no room', {}, 'The intake returned HTTP 400'],
    [
      'contains terminal control characters',
      errorBody('\u001b[1ma\r\n\tb'),
      json,
      'The intake returned HTTP 400: [1ma b',
    ],
    ['contains a secret', errorBody('secret!'), json, 'The intake returned HTTP 400: ***!'],
    [
      'is cut in the middle of a secret',
      errorBody(`${'x'.repeat(297)}secret`),
      json,
      `The intake returned HTTP 400: ${'x'.repeat(297)}***`,
    ],
    ['is long', errorBody('x'.repeat(400)), json, `The intake returned HTTP 400: ${'x'.repeat(300)}`],
  ])('quotes a response that %s', (_, body, headers, message) => {
    expect(answered(400, body, headers).problem?.message).toBe(message)
  })

  it.each(['text/html', 'Text/HTML; charset=utf-8'])(
    'recognizes that a web page is not a response from an intake: %s',
    (type) => {
      expect(answered(200, '', { 'content-type': type })).toMatchObject({
        status: 'refused',
        stopsRun: true,
        problem: {
          code: 'endpoint-wrong',
          message: 'The endpoint is not an intake: it returned a web page (HTTP 200).',
        },
      })
      expect(answered(200, '', { 'content-type': `application/${type}` }).status).toBe('accepted')
    },
  )

  it('recognizes a web page without a content type', () => {
    for (const body of ['<!DOCTYPE html><title>Log in</title>', '\n<html lang="en">'])
      expect(answered(200, body, {}).problem?.code).toBe('endpoint-wrong')
    for (const body of ['', 'ok', '{}', '<ok/>']) expect(answered(200, body, {}).status).toBe('accepted')
  })

  it('shows the target of a redirect without secrets', () => {
    expect(answered(302, '', { location: `https://h/secret${'x'.repeat(300)}` }).problem?.message).toMatch(
      /^The endpoint redirects \(HTTP 302\) to https:\/\/h\/\*\*\*x{187}\. symup does not follow redirects\.$/,
    )
    expect(answered(302, '', { location: 'https://user:word@login.example/a@b' }).problem?.message).toContain(
      'to https://login.example/a@b.',
    )
    expect(answered(302).problem?.message).toBe('The endpoint redirects (HTTP 302). symup does not follow redirects.')
    expect(answered(302).stopsRun).toBe(true)
  })

  it.each([
    ['https://h/other', 'Set the endpoint to https://h/other.'],
    ['https://h/other/sourcemap/upload', 'Set the endpoint to https://h/other.'],
    ['//h/other', 'Set the endpoint to https://h/other.'],
    ['/other', 'Set the endpoint to https://intake.example/other.'],
  ])('explains what to set if the response redirects to %s', (location, fix) => {
    expect(answered(308, '', { location }).problem?.fix).toBe(fix)
  })

  it('reads the retry time and the id of a response', () => {
    const headers = { 'retry-after': '7', 'service-request-id': `secret${'x'.repeat(200)}` }
    expect(answered(429, '', headers)).toMatchObject({ retryAfter: '7', requestId: `***${'x'.repeat(97)}` })
    expect(answered(503, '', headers).retryAfter).toBe('7')
    expect(answered(400, '', headers)).not.toHaveProperty('retryAfter')
    expect(answered(200)).toEqual({ status: 'accepted' })
  })
})

describe('the next attempt after a failed one', () => {
  it.each<[number, number]>([
    [1, 500],
    [2, 1000],
    [5, 8000],
    [6, 10_000],
    [60, 10_000],
  ])('waits after attempt %i for at most %i ms', (attempt, most) => {
    expect(retryDelay(attempt, undefined, () => 0)).toBe(0)
    expect(retryDelay(attempt, undefined, () => 0.5)).toBe(most / 2)
    expect(retryDelay(attempt, 'nonsense', () => 1)).toBe(most)
  })

  it.each<[string, number]>([
    ['0', 500],
    [' 7 ', 7000],
    ['300', 300_000],
    ['301', 300_000],
    ['1.5', 500],
    ['-1', 500],
    ['+3', 500],
    ['2027', 300_000],
    ['2027-01-01', 500],
    ['Mon, 02 Feb 2026 00:00:10 GMT', 10_000],
    ['Monday, 02-Feb-26 00:00:10 GMT', 10_000],
    ['Mon Feb  2 00:00:10 2026', 10_000],
    ['Mon, 02 Feb 2026 00:09:00 GMT', 300_000],
    ['Sun, 01 Feb 2026 00:00:00 GMT', 500],
    ['Mon, nonsense', 500],
  ])('waits as long as the server asks, after the backoff and at most five minutes longer: %s', (asked, delay) => {
    vi.useFakeTimers({ now: Date.parse('2026-02-02T00:00:00Z') })
    expect(retryDelay(1, asked, () => 1)).toBe(delay)
  })

  it('waits no longer than the run may take', async () => {
    const stop = new AbortController()
    const waiting = pause(1e6, stop.signal)
    stop.abort()
    await expect(waiting).resolves.toBeUndefined()
    await expect(pause(0, undefined)).resolves.toBeUndefined()
  })
})

describe('the circuit breaker', () => {
  const away = () => problem('unreachable', 'away')
  const broken = () => problem('server-error', 'broken')
  const causeAfter = (...events: (ReturnType<typeof away> | 'answered')[]) => {
    const breaker = new Breaker()
    for (const event of events) event === 'answered' ? breaker.answered() : breaker.exhausted(event)
    return breaker.cause?.code
  }
  const times = (count: number, make: () => ReturnType<typeof away>) => Array.from({ length: count }, make)

  it('gives up on an intake that is unreachable three times in a row or fails ten times', () => {
    expect(causeAfter(...times(2, away))).toBeUndefined()
    expect(causeAfter(...times(3, away))).toBe('unreachable')
    expect(causeAfter(...times(9, broken))).toBeUndefined()
    expect(causeAfter(...times(10, broken))).toBe('server-error')
    expect(causeAfter(...times(2, away), 'answered', ...times(2, away))).toBeUndefined()
    expect(causeAfter(...times(9, broken), 'answered', ...times(9, broken))).toBeUndefined()
    expect(causeAfter(...times(2, away), broken(), ...times(2, away))).toBeUndefined()
    // An unreachable server does not count as a server error.
    expect(causeAfter(...times(9, broken), away(), broken())).toBe('server-error')
  })

  it('names the first cause', () => {
    const breaker = new Breaker()
    breaker.open(problem('unauthorized', 'first'))
    breaker.open(away())
    expect(breaker.cause?.message).toBe('first')
  })
})

describe('the content that an intake already has', () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-offers-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const part = (name: string, text: string) => ({
    name,
    filename: `${name}.x`,
    path: '/none',
    bytes: 1,
    content: Buffer.from(text),
  })
  const upload = (...parts: object[]) => ({ event: {}, parts }) as unknown as SymbolUpload
  const signal = new AbortController().signal
  const client = (answer: (asked: string[]) => { status?: number; body?: unknown } | undefined) => {
    const asked: string[][] = []
    return {
      asked,
      async ask(_: string, question: object) {
        const { sha256 } = question as { sha256: string[] }
        asked.push(sha256)
        const found = answer(sha256)
        if (!found) return undefined
        const { status = 200, body = { data: { missing: [] } } } = found
        return { status, body: typeof body === 'string' ? body : JSON.stringify(body), headers: {} }
      },
    }
  }

  const held = async (intake: ReturnType<typeof client>, item: SymbolUpload) => {
    const findHeld = await openHeld(intake, signal)
    return findHeld?.(item, (await partHashes(item)) ?? [])
  }

  it('treats every part that the intake does not report as missing as stored', async () => {
    const intake = client((asked) => ({ body: { data: { missing: asked.filter((it) => it === hash('new')) } } }))
    expect(await held(intake, upload(part('map', 'old'), part('script', 'new')))).toEqual({
      map: { sha256: hash('old'), filename: 'map.x' },
    })
    expect(intake.asked).toEqual([[], [hash('old'), hash('new')]])
  })

  it('asks for many missing parts at once', async () => {
    const intake = client(() => ({}))
    const findHeld = await openHeld(intake, signal)
    const found = ['a', 'b', 'c'].map((text) => findHeld?.(upload(part('map', text)), [hash(text)]))
    expect((await Promise.all(found)).every((it) => it?.map !== undefined)).toBe(true)
    expect(intake.asked.flat().sort()).toEqual(['a', 'b', 'c'].map(hash).sort())
    expect(intake.asked.length).toBeLessThan(4)
  })

  it.each([
    undefined,
    { status: 404 },
    { body: 'x' },
    { body: {} },
    { body: { data: { missing: 'all' } } },
    { body: { data: { missing: [] }, error: { code: 'InternalError' } } },
  ])('assumes that the intake has nothing if the response is %j', async (answer) => {
    expect(
      await openHeld(
        client(() => answer),
        signal,
      ),
    ).toBeUndefined()
  })

  it('forgets what the intake has if a later request fails', async () => {
    const intake = client((asked) => (asked.length === 0 ? {} : { status: 500 }))
    expect(await held(intake, upload(part('map', 'x')))).toEqual({})
  })

  it('finds stored content by the hashes of the parts, on disk and in memory', async () => {
    const path = join(directory, 'a')
    writeFileSync(path, 'x'.repeat(600_000))
    const one = upload({ ...part('map', ''), content: undefined, path }, part('script', 'y'))
    const expected = [hash('x'.repeat(600_000)), hash('y')]
    expect(await partHashes(one)).toEqual(expected)
    rmSync(path)
    expect(await partHashes(one)).toBeUndefined()
  })
})
