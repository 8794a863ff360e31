import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../../../../../test/support/tool.ts'
import { type Intake, type IntakeOptions, NO_RATE_LIMITS, startIntake } from '../../index.ts'
import { openStore, type StoreAddresses } from '../../open-store.ts'
import { post, upload } from '../../test-support/client.fixture.ts'
import { type Postgres, postgresPrograms, startPostgres } from '../../test-support/postgres.fixture.ts'
import { type S3, startS3 } from '../../test-support/s3.fixture.ts'
import { collect } from './collect-garbage.ts'
import { exportStore, importStore } from './export-import.ts'
import { retire } from './retention.ts'

const postgresql = needs('PostgreSQL', postgresPrograms() !== undefined, 'Debian: postgresql')
/** Polls for background work in an intake or a client that no event announces. */
const POLL = { timeout: 20_000, interval: 20 }
const root = mkdtempSync(join(tmpdir(), 'symup-scale-test-'))
let postgres: Postgres
let s3: S3

/** A map with one token: line 1, column 0 of the script is line 1 of `src/<name>.ts`. */
function mapOf(name: string): string {
  const sources = [`src/${name}.ts`]
  return JSON.stringify({ version: 3, sources, sourcesContent: [`boom('${name}')`], names: [], mappings: 'AAAA' })
}

async function send(url: string, path: string, { map = mapOf(path), version = '1.0.0' } = {}): Promise<number> {
  const event = { type: 'js_sourcemap', service: 'shop', version, minified_url: path }
  return (await upload(url, event, { source_map: map, minified_file: 'boom()' })).status
}

/** Retries an upload like a client, as long as the intake may still accept it. */
async function sendUntilTaken(url: string, path: string, options = {}): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const status = await send(url, path, options).catch(() => 0)
    if (status === 200) return
    if (status !== 0 && status < 500) throw new Error(`refused: ${status}`)
    await sleep(100)
  }
  throw new Error('never taken')
}

async function resolvedFile(url: string, path: string): Promise<string | undefined> {
  const stack = `Error: x\n    at boom (https://h${path}:1:1)`
  const { data } = await post(url, '/sourcemap/stack/enrich', { service: 'shop', version: '1.0.0', stack })
  return /src\/[^"\\]*\.ts/.exec(JSON.stringify(data))?.[0]
}

describe.skipIf(!postgresql.isThere)(`several intakes that share one PostgreSQL and one S3${postgresql.reason}`, () => {
  let addresses: Required<StoreAddresses>
  let intakes: Intake[]
  const start = (options: IntakeOptions = {}) => startIntake({ ...addresses, rateLimits: NO_RATE_LIMITS, ...options })

  beforeAll(async () => {
    ;[postgres, s3] = await Promise.all([startPostgres(), startS3()])
    addresses = { database: await postgres.createDatabase(), blobs: s3.createAddress() }
    intakes = await Promise.all([start(), start(), start()])
  }, 60_000)
  afterAll(async () => {
    await Promise.all((intakes ?? []).map((intake) => intake.close()))
    await postgres?.close()
    await s3?.close()
    rmSync(root, { recursive: true, force: true })
  })
  const urls = () => intakes.map(({ url }) => url) as [string, string, string]

  it('stores the same artifact once if several instances receive it at once', async () => {
    const sent = await Promise.all(Array.from({ length: 30 }, (_, nth) => send(urls()[nth % 3] as string, '/same.js')))
    expect(new Set(sent)).toEqual(new Set([200]))
    const stored = (await intakes[0]?.uploads()) ?? []
    expect(stored.filter(({ event }) => event.minified_url === '/same.js')).toHaveLength(1)
  })

  it('immediately resolves stacks with uploads that another instance accepted or replaced', async () => {
    const [first, second, third] = urls()
    for (let nth = 0; nth < 10; nth++) {
      expect(await send(first, '/turn.js', { map: mapOf(`turn-${nth}`) })).toBe(200)
      expect(await resolvedFile(second, '/turn.js')).toBe(`src/turn-${nth}.ts`)
      expect(await resolvedFile(third, '/turn.js')).toBe(`src/turn-${nth}.ts`)
    }
  })

  it('pages the audit log from any instance, without repeating or skipping records', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, nth) => post(urls()[nth % 3] as string, '/channel/list', { limit: 1 })),
    )
    const now = Math.floor(Date.now() / 1000)
    const all = { start_time: now - 3600, end_time: now + 60, limit: 99, operations: ['channel:read:list'] }
    await expect.poll(async () => (await post(urls()[0], '/audit/search', all)).data.docs.length, POLL).toBe(60)
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page === 0 || cursor !== ''; page++) {
      const question = { start_time: now - 3600, end_time: now + 60, limit: 7, operations: ['channel:read:list'] }
      const { data } = await post(urls()[page % 3] as string, '/audit/search', {
        ...question,
        ...(cursor && { search_after_ctx: cursor }),
      })
      seen.push(...data.docs.map(({ request_id }: { request_id: string }) => request_id))
      cursor = data.search_after_ctx
      await post(urls()[(page + 1) % 3] as string, '/channel/list', { limit: 1 })
    }
    expect(seen).toHaveLength(60)
    expect(new Set(seen).size).toBe(60)
  })

  it('counts requests to all instances together', async () => {
    const database = await postgres.createDatabase()
    // The limit covers one minute for all files, regardless of the time per file.
    const time = Date.now()
    const limited = await Promise.all(
      [1, 2].map(() => start({ database, rateLimits: { perSecond: false, perMinute: 10 }, now: () => time })),
    )
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => post(limited[at % 2]?.url ?? '', '/channel/list', { limit: 1 })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    await Promise.all(limited.map((intake) => intake.close()))
  })

  it('reports readiness and metrics', async () => {
    const [url] = urls()
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ok', database: 'ok', blobs: 'ok' })
    expect(await send(url, '/bad.js', { map: 'no map' })).toBe(400)
    const text = await (await fetch(`${url}/metrics`)).text()
    expect(text).toMatch(/^symup_uploads_total [1-9]/m)
    expect(text).toMatch(/^symup_upload_bytes_total [1-9]\d{3}/m)
    expect(text).toContain('symup_uploads_refused_total{code="InvalidParameter"} 1')
    expect(text).toMatch(/^symup_request_seconds_bucket\{le="0.005",route="\/sourcemap\/upload",status="200"\}/m)
    expect(text).not.toContain('dev-api-key')
  })

  it('loses no acknowledged upload when PostgreSQL restarts under load', async () => {
    const paths = Array.from({ length: 60 }, (_, nth) => `/restart-${nth}.js`)
    let taken = 0
    const sending = Promise.all(
      urls().map(async (url, at) => {
        for (const path of paths.filter((_, nth) => nth % 3 === at)) {
          await sendUntilTaken(url, path)
          taken++
        }
      }),
    )
    await expect.poll(() => taken, POLL).toBeGreaterThan(15)
    await postgres.restart()
    await sending
    const stored = (await intakes[1]?.uploads()) ?? []
    const found = new Set(stored.map(({ event }) => event.minified_url))
    expect(paths.filter((path) => !found.has(path))).toEqual([])
    for (const { parts } of stored) for (const { read, bytes } of parts) expect((await read()).length).toBe(bytes)
    expect((await fetch(`${urls()[0]}/readyz`)).status).toBe(200)
  })

  it('tolerates an S3 that is slow and answers 503', async () => {
    let nth = 0
    s3.fail(async (incoming, answer) => {
      if (nth++ % 3 === 0) {
        incoming.resume()
        answer.writeHead(503).end()
        return true
      }
      await sleep(20)
      return false
    })
    const paths = Array.from({ length: 10 }, (_, at) => `/flaky-${at}.js`)
    await Promise.all(
      paths.map((path, at) => sendUntilTaken(urls()[at % 3] as string, path, { map: mapOf(`flaky-${at}`) })),
    )
    s3.fail()
    for (const [at, path] of paths.entries()) expect(await resolvedFile(urls()[2], path)).toBe(`src/flaky-${at}.ts`)
  })

  it('answers 503 while S3 is unreachable, and accepts the upload when it is back', async () => {
    s3.fail((incoming, answer) => {
      incoming.resume()
      answer.writeHead(503).end()
      return true
    })
    const map = mapOf(`away-${randomBytes(4).toString('hex')}`)
    expect(await send(urls()[0], '/away.js', { map })).toBe(503)
    s3.fail()
    expect(await resolvedFile(urls()[0], '/away.js')).toBeUndefined()
    expect(await send(urls()[0], '/away.js', { map })).toBe(200)
  })

  it('shows nothing from an upload during which an instance is killed', async () => {
    const command = fileURLToPath(new URL('../../test-support/intake-process.fixture.ts', import.meta.url))
    const args = ['--conditions=symup-source', '--import', 'tsx', command, addresses.database, addresses.blobs]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const url = String((await once(child.stdout, 'data'))[0]).trim()
    // Stops the content on its way to S3.
    const isStuck = new Promise<void>((done) =>
      s3.fail(() => {
        done()
        return true
      }),
    )
    const halfSent = send(url, '/killed.js', { map: mapOf('killed') }).catch(() => 0)
    const half = request(`${url}/sourcemap/upload`, {
      method: 'POST',
      headers: { 'DD-API-KEY': 'dev-api-key', 'Content-Type': 'multipart/form-data; boundary=x' },
    })
    half.on('error', () => undefined)
    const start = '--x\r\nContent-Disposition: form-data; name="source_map"; filename="m"\r\n\r\n{"version":3'
    await new Promise((done) => half.write(start, done))
    await isStuck
    child.kill('SIGKILL')
    expect(await halfSent).toBe(0)
    s3.fail()
    const stored = (await intakes[0]?.uploads()) ?? []
    expect(stored.filter(({ event }) => event.minified_url === '/killed.js')).toEqual([])
    await sendUntilTaken(urls()[0], '/killed.js', { map: mapOf('killed') })
    expect(await resolvedFile(urls()[1], '/killed.js')).toBe('src/killed.ts')
  }, 30_000)

  it('deletes no content that a record points to during concurrent uploads', async () => {
    const store = await openStore(join(root, 'collector'), addresses)
    let isOver = false
    let collected = 0
    const collecting = (async () => {
      while (!isOver) collected += (await collect(store, 0)).blobs
    })()
    // The test uses few contents but many replacements, so each content is constantly dropped and uploaded again.
    await Promise.all(
      Array.from({ length: 9 }, async (_, worker) => {
        for (let nth = 0; nth < 15; nth++) {
          await sendUntilTaken(urls()[worker % 3] as string, `/churn-${worker}.js`, {
            map: mapOf(`churn-${(worker + nth) % 4}`),
          })
        }
      }),
    )
    isOver = true
    await collecting
    expect(collected).toBeGreaterThan(5)
    for (const { parts } of (await intakes[0]?.uploads()) ?? []) {
      for (const { sha256 } of parts) expect(await store.blobs.has(sha256), sha256).toBe(true)
    }
    // This collection also removes the files of the killed intake.
    await collect(store, 0)
    const used = new Set((await store.uploads()).flatMap(({ parts }) => parts.map(({ sha256 }) => sha256)))
    for await (const { sha256 } of store.blobs.list()) expect(used).toContain(sha256)
    await store.close()
  }, 60_000)

  it('moves an embedded store, and refuses what is damaged or not empty', async () => {
    const embedded = await startIntake({ dataDir: join(root, 'embedded') })
    await send(embedded.url, '/moved.js', { map: mapOf('moved') })
    await post(embedded.url, '/channel/list', { limit: 1 })
    await embedded.close()
    const from = await openStore(join(root, 'embedded'))
    const counts = await exportStore(from, join(root, 'export'))
    expect(counts).toMatchObject({ artifact: 1, part: 2, blobs: 2, audit_record: 1 })
    expect(counts.resource).toBeGreaterThan(0)
    await from.close()
    const target = { database: await postgres.createDatabase(), blobs: s3.createAddress() }
    const to = await openStore(join(root, 'to'), target)
    for (const [file, words] of [
      [join('blobs', String(readdirSync(join(root, 'export/blobs'))[0])), 'damaged'],
      ['records.ndjson', 'The hash of records.ndjson differs'],
    ] as const) {
      cpSync(join(root, 'export'), join(root, 'damaged'), { recursive: true })
      appendFileSync(join(root, 'damaged', file), 'x')
      await expect(importStore(to, join(root, 'damaged'))).rejects.toThrow(words)
      expect(await to.uploads()).toEqual([])
      rmSync(join(root, 'damaged'), { recursive: true })
    }
    expect(await importStore(to, join(root, 'export'))).toEqual(counts)
    await expect(importStore(to, join(root, 'export'))).rejects.toThrow('The store is not empty')
    await to.close()
    const moved = await startIntake(target)
    expect(await resolvedFile(moved.url, '/moved.js')).toBe('src/moved.ts')
    await moved.close()
  })

  it('ends a running upload before an instance closes', async () => {
    const intake = await start({ drainMs: 5_000, fault: 'slow;delay=500' })
    const body = new FormData()
    body.set('event', '{"type":"js_sourcemap","service":"shop","version":"1.0.0","minified_url":"/last.js"}')
    body.set('source_map', new Blob([mapOf('last')]), 'source_map')
    const form = new Response(body)
    const headers = { 'DD-API-KEY': 'dev-api-key', 'Content-Type': form.headers.get('Content-Type') ?? '' }
    const sending = request(`${intake.url}/sourcemap/upload`, {
      method: 'POST',
      headers: { ...headers, Expect: '100-continue' },
    })
    const answered = once(sending, 'response')
    sending.flushHeaders()
    // By then, the intake has the headers and waits for the body.
    await once(sending, 'continue')
    sending.end(Buffer.from(await form.arrayBuffer()))
    await intake.close()
    const [{ statusCode }] = await answered
    expect(statusCode).toBe(200)
  })
})

it('deletes old versions of each service and keeps the newest', async () => {
  const intake = await startIntake({ dataDir: join(root, 'retention') })
  for (const version of ['1', '2', '3']) await send(intake.url, '/r.js', { version, map: mapOf(version) })
  await intake.close()
  const store = await openStore(join(root, 'retention'))
  const left = async () => (await store.uploads()).map(({ version }) => version)
  for (const [nth, version] of ['1', '2', '3'].entries())
    await store.db
      .updateTable('artifact')
      .set({ updated_at: nth * 1000 })
      .where('version', '=', version)
      .execute()
  expect(await retire(store, {}, 10_000)).toEqual({ versions: 0, artifacts: 0 })
  expect(await retire(store, { maxAgeMs: 9_500 }, 10_000)).toEqual({ versions: 1, artifacts: 1 })
  expect(await left()).toEqual(['2', '3'])
  const [{ size } = { size: 0 }] = await store.db.selectFrom('artifact').select('size').execute()
  expect(await retire(store, { maxBytes: 2 * size }, 10_000)).toEqual({ versions: 0, artifacts: 0 })
  expect(await retire(store, { maxBytes: 1, maxAgeMs: 1 }, 10_000)).toEqual({ versions: 1, artifacts: 1 })
  expect(await left()).toEqual(['3'])
  expect(await collect(store, 0)).toMatchObject({ blobs: 2 })
  expect(await collect(store, 0)).toEqual({ blobs: 0, bytes: 0 })
  await store.close()
})
