import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SymbolUpload } from '../model/plan.ts'
import { KEY, settingsFor, useSink, writtenItem } from '../send/sink.fixture.ts'
import { type UploadOptions, upload } from './upload.ts'

const sink = useSink()
let ledger: string
beforeEach(() => {
  ledger = join(sink.root, 'deep/ledger.jsonl')
})

const item = (name: string, content?: string) => writtenItem(sink.root, name, content)

const run = (uploads: SymbolUpload[], options: Partial<UploadOptions> = {}, port = sink.port) =>
  upload({ uploads, problems: [] }, settingsFor(port), {
    adapter: { name: 'test', version: '9' },
    cwd: sink.root,
    ...options,
  })

const namesSent = () =>
  sink.requests.map(({ body }) => /"minified_url":"\/(\w)/.exec(gunzipSync(body).toString())?.[1]).sort()

describe('a second upload run', () => {
  it('sends only missing or changed artifacts', async () => {
    sink.respond = (response, nth) => response.writeHead(nth === 2 ? 400 : 200).end()
    await run(
      ['a', 'b', 'c'].map((name) => item(name)),
      { ledger, concurrency: 1 },
    )
    expect(namesSent()).toEqual(['a', 'b', 'c'])
    sink.requests = []
    sink.respond = (response) => response.end()
    const report = await run([item('a'), item('b'), item('c', 'new')], { ledger, resume: true })
    expect(namesSent()).toEqual(['b', 'c'])
    expect(report.outcomes.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['already-there', 0],
      ['accepted', 1],
      ['accepted', 1],
    ])
  })

  it('sends an artifact again if a newer upload of the same file replaced it', async () => {
    const send = (content: string, debugId: string) => {
      const upload = item('a', content)
      return run([{ ...upload, event: { ...upload.event, debug_id: debugId } as SymbolUpload['event'] }], {
        ledger,
        resume: true,
      })
    }
    const statuses = []
    for (const build of ['1', '2', '1', '1']) statuses.push((await send(build, build)).outcomes[0]?.status)
    expect(statuses).toEqual(['accepted', 'accepted', 'accepted', 'already-there'])
  })

  it('sends several files with the same path in one release only once', async () => {
    const library = (content: string): SymbolUpload => {
      const event = {
        type: 'ndk_symbol_file' as const,
        cli_version: '0',
        service: 's',
        version: '1',
        variant: 'release',
        arch: 'arm64',
      }
      return { ...item(content, content), event, member: content }
    }
    const libraries = () => ['x', 'y', 'z'].map(library)
    await run(libraries(), { ledger })
    const report = await run(libraries(), { ledger, resume: true })
    expect(report.totals.alreadyThere).toBe(3)
  })

  it('sends everything without `resume`', async () => {
    await run([item('a')], { ledger })
    await run([item('a')], { ledger })
    expect(namesSent()).toEqual(['a', 'a'])
  })

  it('finds a ledger that lists the uploads but never the key', async () => {
    await run([item('a')], { ledger })
    const text = readFileSync(ledger, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ service: 's', version: '1', path: '/a', outcome: 'accepted' })
    expect(text).not.toContain(KEY)
  })

  it('works without a usable ledger', async () => {
    mkdirSync(join(sink.root, 'deep/ledger.jsonl'), { recursive: true })
    const report = await run([item('a')], { ledger, resume: true })
    expect(report.totals.accepted).toBe(1)
    expect(report.problems).toMatchObject([{ code: 'ledger-unusable', severity: 'warning' }])
  })

  it('does not record artifacts that were not sent', async () => {
    const started = new AbortController()
    sink.respond = (response, nth) => {
      if (nth === 1) started.abort()
      setTimeout(() => response.end('{"request_id":"r","data":{}}'), 20)
    }
    const report = await run([item('a'), item('b')], { ledger, concurrency: 1, signal: started.signal })
    expect(report.outcomes.map(({ status }) => status)).toContain('not-tried')
    expect(readFileSync(ledger, 'utf8')).not.toContain('not-tried')
  })

  it('writes no ledger unless requested', async () => {
    await run([item('a')])
    expect(existsSync(join(sink.root, 'deep'))).toBe(false)
  })
})

describe('the time limit', () => {
  it('ends an attempt that makes no progress', async () => {
    sink.respond = (response, nth) => (nth === 1 ? undefined : response.end())
    const report = await run([item('a')], { timeouts: { idle: 100 } })
    expect(report.outcomes[0]).toMatchObject({ status: 'accepted', attempts: 2 })
  })

  it('ends an attempt that takes too long despite constant progress', async () => {
    sink.respond = (response) => {
      const dripping = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(dripping))
    }
    const report = await run([item('a')], { attempts: 1, timeouts: { attempt: 200, idle: 60_000 } })
    expect(report.outcomes[0]).toMatchObject({ status: 'failed', problem: { code: 'unreachable' } })
    expect(report.outcomes[0]?.problem?.message).toContain('ATTEMPT_TIMEOUT')
  })

  it('ends a response that arrives too slowly', async () => {
    sink.respond = (response, nth) => {
      response.writeHead(200).write('{"request_id":')
      if (nth > 1) return response.end('"r","data":{}}')
      const dripping = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(dripping))
    }
    const [once] = (await run([item('a')], { attempts: 1, timeouts: { idle: 200 } })).outcomes
    expect(once).toMatchObject({ status: 'failed', problem: { code: 'unreachable' } })
    expect(once?.problem?.message).toContain('The response took too long (ANSWER_TIMEOUT)')
    sink.requests = []
    const report = await run([item('a')], { timeouts: { idle: 200 } })
    expect(report.outcomes[0]).toMatchObject({ status: 'accepted' })
  })

  it('ends the run when its time budget is spent, and reports it', async () => {
    sink.respond = () => undefined
    const report = await run([item('a'), item('b')], { concurrency: 1, timeBudget: 100, ledger })
    expect(report.outcomes.map(({ status }) => status)).toEqual(['not-tried', 'not-tried'])
    expect(report.outcomes[1]?.problem?.message).toContain('time budget')
    expect(report.outcomes[1]?.problem?.fix).toBe('Upload again with `--resume` to send only the missing artifacts.')
  })

  it('ends the run after ten server errors in a row', async () => {
    sink.respond = (response) => response.writeHead(500).end()
    const uploads = Array.from({ length: 20 }, (_, index) => item(`${index}`))
    const report = await run(uploads, { attempts: 1, concurrency: 1 })
    expect(report.totals).toMatchObject({ failed: 10, notTried: 10 })
  })
})

describe('large request bodies', () => {
  const large = 'x'.repeat(1000).repeat(9000)

  it('sends large bodies completely, even if the first attempt breaks off', async () => {
    sink.respond = (response, nth, request) => (nth === 1 ? request.socket.destroy() : response.end())
    await run([item('a', large)], { compression: 1 })
    expect(sink.requests).toHaveLength(2)
    expect(gunzipSync(sink.requests[1]?.body ?? '').includes(large)).toBe(true)
  })

  it('stops sending a large body if the response arrives first', async () => {
    sink.server.removeAllListeners('request')
    sink.server.on('request', (_, response) => response.writeHead(413).end('{"error":{"message":"too big"}}'))
    const report = await run([{ ...item('a', large), encoding: 'identity' }], { attempts: 1 })
    expect(report.outcomes[0]).toMatchObject({ status: 'refused', problem: { code: 'too-large' } })
  })

  it('reports a large body as refused if the server closes the connection after its response', async () => {
    // The server needs a separate thread, because it must answer while the client compresses.
    const thread = new Worker(
      `const { createServer } = require('node:http')
      const server = createServer((request, response) => {
        if (!request.url.endsWith('/upload')) return response.writeHead(404).end()
        response.writeHead(413, { Connection: 'close' }).end('{"error":{"message":"too big"}}')
        request.resume()
      })
      server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))`,
      { eval: true, execArgv: [] },
    )
    const [port] = await once(thread, 'message')
    const content = Array.from({ length: 900_000 }, (_, index) =>
      ((index * 2_654_435_761) % 2 ** 32).toString(36),
    ).join()
    const names = Array.from({ length: 10 }, (_, index) => `${index}`)
    const report = await run(
      names.map((name) => item(name, content)),
      { attempts: 1, concurrency: 1 },
      port,
    )
    await thread.terminate()
    expect(report.outcomes.map(({ problem }) => problem?.code)).toEqual(names.map(() => 'too-large'))
  })

  it('sends smaller bodies at a higher compression level', async () => {
    const content = Array.from({ length: 50_000 }, (_, index) => `${(index * 7919) % 3001}`).join(',')
    const sizes = []
    for (const compression of [1, 6] as const)
      sizes.push((await run([item('a', content)], { compression })).totals.bytesSent)
    expect(sizes[1]).toBeLessThan(sizes[0] as number)
  })
})
