import { getEventListeners } from 'node:events'
import { rmSync, truncateSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { placeOf } from '../kinds/index.ts'
import type { Plan, SymbolUpload } from '../model/plan.ts'
import { exitCodeUnder, POLICIES, problemsOf } from '../pipeline/policy.ts'
import { renderProblems, summaryOf } from '../pipeline/render.ts'
import { WHOLE_BYTES } from '../send/body.ts'
import { KEY, settingsFor, useSink, writtenItem } from '../send/sink.fixture.ts'
import { type Progress, type UploadOptions, upload } from './upload.ts'

const sink = useSink()
const item = (name: string, content?: string) => writtenItem(sink.root, name, content)

const run = (plan: Partial<Plan>, options: Partial<UploadOptions> = {}, settings = settingsFor(sink.port)) =>
  upload({ uploads: [], problems: [], ...plan }, settings, {
    adapter: { name: 'test', version: '9' },
    cwd: sink.root,
    ...options,
  })

const statusesOf = (report: Awaited<ReturnType<typeof run>>) =>
  report.outcomes.map(({ status, attempts, problem }) => [status, attempts, problem?.code])

describe('an upload request', () => {
  it('sends gzipped multipart data with the event first, without a file name, and identifies the client', async () => {
    await run({ uploads: [item('a.js', 'é')] })
    const { headers, body } = sink.requests[0] as (typeof sink.requests)[0]
    expect(headers).toMatchObject({
      'dd-api-key': KEY,
      'dd-evp-origin': 'symup-test',
      'dd-evp-origin-version': '9',
      'content-encoding': 'gzip',
      'transfer-encoding': 'chunked',
    })
    const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1]
    const event =
      '{"type":"js_sourcemap","cli_version":"0","service":"s","version":"1","minified_url":"/a.js","project_path":""}'
    expect(gunzipSync(body).toString()).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="event"',
        'Content-Type: application/json',
        '',
        event,
        `--${boundary}`,
        'Content-Disposition: form-data; name="source_map"; filename="source_map"',
        'Content-Type: application/octet-stream',
        '',
        'é',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    )
  })

  it('sends an artifact uncompressed with its length if it is already compressed', async () => {
    const report = await run({ uploads: [{ ...item('a.zip', 'PK'), encoding: 'identity' }] })
    expect(statusesOf(report)).toEqual([['accepted', 1, undefined]])
    const { headers, body } = sink.requests[0] as (typeof sink.requests)[0]
    expect(headers['content-encoding']).toBeUndefined()
    expect(Number(headers['content-length'])).toBe(body.length)
    expect(report.totals.bytesSent).toBe(body.length)
  })
})

describe('the result of an upload', () => {
  it.each([
    [200, 'accepted', undefined, 0],
    [202, 'accepted', undefined, 0],
    [409, 'already-there', undefined, 0],
    [400, 'refused', 'rejected', 1],
    [401, 'refused', 'unauthorized', 1],
    [403, 'refused', 'forbidden', 1],
    [404, 'refused', 'endpoint-wrong', 1],
    [405, 'refused', 'endpoint-wrong', 1],
    [413, 'refused', 'too-large', 1],
    [422, 'refused', 'rejected', 1],
  ])('does not retry after HTTP %i: %s', async (status, outcome, code, exit) => {
    sink.respond = (response) => response.writeHead(status).end(code && '{"error":{"code":"X","message":"because"}}')
    const report = await run({ uploads: [item('a.js')] })
    expect(statusesOf(report)).toEqual([[outcome, 1, code]])
    expect(report.outcomes[0]?.requestId).toBe('req-1')
    if (code) expect(report.outcomes[0]?.problem?.message).toContain('because')
    expect(exitCodeUnder(POLICIES.default, report)).toBe(exit)
  })

  it.each([
    [408, 'server-error'],
    [425, 'server-error'],
    [429, 'rate-limited'],
    [500, 'server-error'],
    [503, 'server-error'],
  ])('retries after HTTP %i, and reports it if it persists', async (status, code) => {
    sink.respond = (response) => response.writeHead(status, { 'Retry-After': '0' }).end()
    expect(statusesOf(await run({ uploads: [item('a.js')] }, { attempts: 2 }))).toEqual([['failed', 2, code]])
    expect(sink.requests).toHaveLength(2)
  })

  it('uploads an artifact if a later attempt succeeds, which sends the whole body again', async () => {
    sink.respond = (response, nth) => response.writeHead(nth === 1 ? 503 : 200, { 'Retry-After': '0' }).end()
    expect(statusesOf(await run({ uploads: [item('a.js')] }))).toEqual([['accepted', 2, undefined]])
    expect(gunzipSync(sink.requests[1]?.body ?? Buffer.alloc(0)).toString()).toContain('content of a.js')
  })

  it('uploads an artifact after a connection breaks mid-upload', async () => {
    sink.respond = (response, nth, request) => (nth === 1 ? request.socket.destroy() : response.end())
    expect(statusesOf(await run({ uploads: [item('a.js')] }))).toEqual([['accepted', 2, undefined]])
  })

  it('includes each retry, announced in advance, and the lost bytes', async () => {
    sink.respond = (response) => response.writeHead(503, { 'Retry-After': '0' }).end()
    const told: string[] = []
    const onProgress = ({ done, lost, retrying }: Progress) =>
      told.push(`${done} done, ${lost} lost${retrying ? `, attempt ${retrying.attempt} of ${retrying.attempts}` : ''}`)
    await run({ uploads: [item('a.js')] }, { attempts: 3, onProgress })
    expect(told).toEqual(['0 done, 0 lost, attempt 2 of 3', '0 done, 0 lost, attempt 3 of 3', '1 done, 1 lost'])
  })

  it('waits as long as Retry-After requires', async () => {
    sink.respond = (response, nth) => response.writeHead(nth === 1 ? 429 : 200, { 'Retry-After': '1' }).end()
    const report = await run({ uploads: [item('a.js')] })
    expect(report.totals.milliseconds).toBeGreaterThanOrEqual(1000)
  })

  it('ends the run and explains what to set if the intake redirects', async () => {
    sink.respond = (response) => response.writeHead(308, { Location: '/moved/sourcemap/upload' }).end()
    const report = await run({ uploads: [item('a.js'), item('b.js')] }, { concurrency: 1 })
    expect(statusesOf(report)).toEqual([
      ['refused', 1, 'endpoint-wrong'],
      ['not-tried', 0, 'not-tried'],
    ])
    expect(report.outcomes[0]?.problem?.fix).toBe(`Set the endpoint to http://127.0.0.1:${sink.port}/moved.`)
    expect(sink.requests).toHaveLength(1)
  })

  it('does not mistake a web page for the response of an intake', async () => {
    sink.respond = (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>')
    expect(statusesOf(await run({ uploads: [item('a.js')] }))).toEqual([['refused', 1, 'endpoint-wrong']])
  })

  it('ends the run if the key is refused, without trying the remaining artifacts', async () => {
    sink.respond = (response) => response.writeHead(401).end()
    const report = await run({ uploads: ['a', 'b', 'c'].map((name) => item(name)) }, { concurrency: 1 })
    expect(statusesOf(report)).toEqual([
      ['refused', 1, 'unauthorized'],
      ['not-tried', 0, 'not-tried'],
      ['not-tried', 0, 'not-tried'],
    ])
    expect(summaryOf(report).text).toBe('Upload failed: 0 of 3 artifacts uploaded, 1 refused, 2 not sent.')
  })

  it('reports each artifact if the intake is unreachable', async () => {
    await sink.close()
    const uploads = ['a', 'b', 'c', 'd', 'e'].map((name) => item(name))
    const report = await run({ uploads }, { attempts: 1, concurrency: 1 }, settingsFor(sink.port))
    expect(report.outcomes.map(({ status }) => status)).toEqual([
      'failed',
      'failed',
      'failed',
      'not-tried',
      'not-tried',
    ])
    expect(report.outcomes[0]?.problem).toMatchObject({ code: 'unreachable', file: 'a' })
    expect(report.outcomes[0]?.problem?.message).toContain('refused (ECONNREFUSED)')
    await sink.listen()
  })

  it('names a file that was deleted after planning', async () => {
    const gone = item('a.js')
    rmSync(join(sink.root, 'a.js'))
    const report = await run({ uploads: [gone, item('b.js')] })
    expect(statusesOf(report)).toEqual([
      ['failed', 1, 'file-unreadable'],
      ['accepted', 1, undefined],
    ])
  })

  it('names a file that another program truncates during the upload', async () => {
    const cut: SymbolUpload = { ...item('a.js', 'x'.repeat(8 * WHOLE_BYTES)), encoding: 'identity' }
    // By now, the client holds the rest of the request body in memory.
    sink.server.prependListener('request', ({ url }) => {
      if (url?.endsWith('/upload')) truncateSync(join(sink.root, 'a.js'), 10)
    })
    const { outcomes } = await run({ uploads: [cut] })
    expect(outcomes[0]).toMatchObject({
      status: 'failed',
      problem: {
        file: 'a.js',
        message: 'The file became shorter during the upload, probably because another program changed it.',
      },
    })
  })

  it('stops at once when the run is aborted', async () => {
    const controller = new AbortController()
    sink.respond = () => controller.abort()
    const report = await run({ uploads: [item('a.js'), item('b.js')] }, { signal: controller.signal, concurrency: 1 })
    expect(report.outcomes.map(({ status }) => status)).toEqual(['not-tried', 'not-tried'])
    expect(report.outcomes.map(({ problem }) => problem?.message)).toEqual([
      'The upload was interrupted before a response arrived because the run was stopped.',
      'The artifact was not sent because the run was stopped.',
    ])
    expect(report.outcomes[1]?.problem?.fix).toBe('Upload again.')
    expect(exitCodeUnder(POLICIES.default, report)).toBe(1)
  })

  it('leaves no listener on a signal that outlives the run', async () => {
    const { signal } = new AbortController()
    await run({ uploads: [item('a.js')] }, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('explains why the last attempt failed and why it gave up if the run is aborted between two attempts', async () => {
    const controller = new AbortController()
    sink.respond = (response) => response.writeHead(503, { 'Retry-After': '60' }).end()
    const onProgress = () => controller.abort()
    const options = { signal: controller.signal, concurrency: 1, onProgress }
    const report = await run({ uploads: [item('a.js'), item('b.js')] }, options)
    expect(statusesOf(report)).toEqual([
      ['failed', 1, 'server-error'],
      ['not-tried', 0, 'not-tried'],
    ])
    expect(report.outcomes[0]?.problem?.message).toBe(
      'The intake returned HTTP 503 (symup stopped retrying because the run was stopped).',
    )
  })

  it('explains why the first attempt failed if the run is aborted during the second attempt', async () => {
    const controller = new AbortController()
    sink.respond = (response, nth) => {
      if (nth === 1) response.writeHead(429, { 'Retry-After': '0' }).end()
      else controller.abort()
    }
    const report = await run({ uploads: [item('a.js')] }, { signal: controller.signal })
    expect(statusesOf(report)).toEqual([['failed', 2, 'rate-limited']])
    expect(report.outcomes[0]?.problem?.message).toMatch(/ \(symup stopped retrying because the run was stopped\)\.$/)
  })

  it('never shows the key, even if the server echoes it', async () => {
    sink.respond = (response) => {
      response.setHeader('X-Echo', 'yes').writeHead(400)
      response.end(JSON.stringify({ error: { message: `bad key ${KEY}\u001b[31m` } }))
    }
    const report = await run({ uploads: [item('a.js')] })
    const output =
      inspect(report, { depth: 9 }) +
      JSON.stringify(report) +
      renderProblems(problemsOf(report)).map(({ text }) => text)
    expect(output).toContain('bad key ***')
    expect(output).not.toContain(KEY)
    expect(output).not.toContain('\u001b')
  })

  it('arrives in order with at most `concurrency` requests in flight and with progress reports', async () => {
    let inFlight = 0
    let most = 0
    sink.respond = (response) => {
      most = Math.max(most, ++inFlight)
      setTimeout(() => {
        inFlight--
        response.end()
      }, 20)
    }
    const progress: number[] = []
    const uploads = Array.from({ length: 10 }, (_, index) => item(`${index}.js`))
    const report = await run({ uploads }, { concurrency: 3, onProgress: ({ done }) => progress.push(done) })
    expect(most).toBe(3)
    expect(report.outcomes.map(({ event }) => placeOf(event))).toEqual(uploads.map(({ event }) => placeOf(event)))
    expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(report.totals).toMatchObject({ accepted: 10, failed: 0 })
  })

  it.each([['twenty requests in flight, so that a distant intake does not slow down the upload', 40, 1000, 20]])(
    'keeps %s',
    async (_, count, bytes, expected) => {
      const open: ServerResponse[] = []
      let most = 0
      let answered = 0
      sink.respond = (response, _, { url }) => {
        if (url?.endsWith('/sourcemap/missing')) {
          response.writeHead(404).end()
          return
        }
        most = Math.max(most, open.push(response))
        const isLast = answered + open.length === uploads.length
        if (open.length < expected && !isLast) return
        // The client would send a second request within this time.
        setTimeout(() => {
          answered += open.length
          for (const one of open.splice(0)) one.end()
        }, 30)
      }
      const uploads = Array.from({ length: count }, (_, index) => item(`${index}.js`, `${index} `.padEnd(bytes)))
      await run({ uploads })
      expect(most).toBe(expected)
    },
  )

  it('prepares the first artifacts while it asks the intake for its features, and sends nothing before the answer', async () => {
    const output: string[] = []
    let answer: (() => void) | undefined
    sink.respond = (response, nth, { url }) => {
      if (!url?.endsWith('/sourcemap/missing')) {
        output.push('sent')
        response.end('{}')
        return
      }
      const offers = () => response.writeHead(200, { 'Accept-Encoding': 'gzip' }).end('{"data":{"missing":[]}}')
      if (nth === 1) answer = offers
      else offers()
    }
    const uploads = ['a.js', 'b.js'].map((name) => item(name, name.padEnd(1024 * 1024)))
    const prepare = (upload: SymbolUpload) => {
      if (output.push('ready') === uploads.length) {
        vi.waitUntil(() => answer).then((now) => {
          output.push('answered')
          now?.()
        })
      }
      return upload
    }
    await run({ uploads }, { prepare })
    expect(output).toEqual(['ready', 'ready', 'answered', 'sent', 'sent'])
  })

  it.each([true, false])('prepares each artifact once before it decides whether to send: %s', async (isOpen) => {
    const prepared: string[] = []
    const prepare = (upload: SymbolUpload) => {
      prepared.push(placeOf(upload.event))
      return placeOf(upload.event) === '/b.js' ? undefined : { ...upload, event: { ...upload.event, service: 'other' } }
    }
    const barrier = (ready: SymbolUpload[]) => {
      expect([prepared, ready.map(({ event }) => event.service)]).toEqual([
        ['/a.js', '/b.js', '/c.js'],
        ['other', 'other'],
      ])
      expect(sink.requests).toEqual([])
      return isOpen
    }
    const { outcomes } = await run(
      { uploads: ['a.js', 'b.js', 'c.js'].map((name) => item(name)) },
      { prepare, barrier },
    )
    expect(prepared).toHaveLength(3)
    expect(outcomes.map(({ event }) => [placeOf(event), event.service])).toEqual(
      isOpen
        ? [
            ['/a.js', 'other'],
            ['/c.js', 'other'],
          ]
        : [],
    )
    expect(sink.requests).toHaveLength(isOpen ? 2 : 0)
  })
})
