import { EventEmitter, once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ArtifactSource } from '../artifacts.ts'
import type { ResolvedFrame } from '../frames.ts'
import { farSection, mapOf } from './hostile.fixture.ts'
import { jsStack, release, usePools } from './pool.fixture.ts'
import type { StorePoolOptions } from './pool.ts'

const { directory, shared, poolOf, fileOf, script, explain } = usePools()
const good = script(mapOf('AAAA'))
const reasons = (frames: ResolvedFrame[]) => new Set(frames.map(({ reason }) => reason?.code))

describe('an unusable map gives a reason instead of a failure', () => {
  it.each([
    ['a section at line 4,000,000,000', () => farSection(4_000_000_000)],
    ['a section at line 100,000,000', () => farSection(100_000_000)],
    ['mappings that point to a missing source', () => mapOf('ACAA')],
    ['numeric names', () => mapOf('AAAAA').replace('"names":[]', '"names":[5]')],
    ['numeric contents', () => mapOf('AAAA').replace('"names"', '"sourcesContent":[7],"names"')],
  ])('returns a reason for %s', async (_, map) => {
    const source = script(map())
    expect([...reasons(await explain(source, jsStack(3)))]).toEqual(['map-unusable'])
  })
})

describe('many queries at once', () => {
  const counting = () => {
    let reads = 0
    const source: ArtifactSource = {
      ...good,
      async findScripts(...query) {
        return (await good.findScripts(...query)).map((found) => ({
          ...found,
          async locate(part) {
            if (part === 'map') reads++
            return found.locate?.(part)
          },
        }))
      },
    }
    return { source, reads: () => reads }
  }

  it('reads a file once for equal queries', async () => {
    const { source, reads } = counting()
    const pool = poolOf({ threads: 2 })
    await Promise.all(Array.from({ length: 6 }, () => pool.symbolicate({ ...release, stack: jsStack(2) }, source)))
    expect(reads()).toBe(1)
  })

  it('refuses queries if too many are waiting', async () => {
    const pool = poolOf({ maxWaiting: 1 })
    const asked = Array.from({ length: 4 }, () => pool.symbolicate({ ...release, stack: jsStack(1) }, good))
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
    expect((outcomes[3] as PromiseRejectedResult).reason.code).toBe('busy')
  })

  it('uses a free thread if a long query about other files is waiting before', async () => {
    const pool = poolOf({ threads: 2 })
    const ask = (version: string, source: ArtifactSource) =>
      pool.symbolicate({ service: 'shop', version, stack: jsStack(1) }, source)
    // After this query, the first thread has the files.
    await ask('1', good)
    const gate = new EventEmitter()
    const held = once(gate, 'open')
    const long = ask('2', {
      ...good,
      findScripts: async (_, paths) =>
        (await good.findScripts(release, paths)).map((found) => ({
          ...found,
          contentKey: 'long',
          locate: (part) => held.then(() => found.locate?.(part)),
        })),
    })
    await vi.waitUntil(() => pool.load().running === 1, { timeout: 20_000, interval: 5 })
    const others = [ask('1', good), ask('1', good)]
    expect((await Promise.all(others)).map(({ frames }) => frames[0]?.resolved?.file)).toEqual(['a.ts', 'a.ts'])
    expect(pool.load()).toMatchObject({ running: 1, waiting: 0 })
    gate.emit('open')
    await long
  })

  it('reserves a thread and queue places for other owners', async () => {
    const pool = poolOf({ threads: 2, maxWaiting: 4 })
    const gate = new EventEmitter()
    const held = once(gate, 'open')
    const slow: ArtifactSource = {
      ...good,
      findScripts: async ({ version }, paths) =>
        (await good.findScripts(release, paths)).map((found) => ({
          ...found,
          contentKey: version,
          locate: (part) => held.then(() => found.locate?.(part)),
        })),
    }
    const ask = (owner: string, source: ArtifactSource, version = '1') =>
      pool.symbolicate({ service: 'shop', version, stack: jsStack(1) }, source, { owner })
    const many = Array.from({ length: 4 }, (_, nth) => ask('many', slow, String(nth)))
    await expect(many[3]).rejects.toMatchObject({ code: 'busy', message: /of the account/ })
    expect(pool.load()).toMatchObject({ running: 1, waiting: 2 })
    expect((await ask('other', good)).frames[0]?.resolved).toMatchObject({ file: 'a.ts' })
    expect(pool.load()).toMatchObject({ running: 1, waiting: 2 })
    gate.emit('open')
    await Promise.all(many.slice(0, 3))
  })
})

it('creates indexes for different files concurrently, but those for one file in one thread', async () => {
  const pool = poolOf({ threads: 2 })
  const mappings = [fileOf('a.Original -> a.a:\n'), fileOf('a.Original -> a.a:\n')]
  const [mapping] = mappings as [string]
  const maps = [fileOf(mapOf('AAAA')), fileOf(mapOf('AAAA'))]
  const load = () => {
    const { running, waiting } = pool.load()
    return [running, waiting]
  }
  const loads: number[][] = []
  for (const files of [
    maps.map((map) => ({ map })),
    mappings.map((it) => ({ mapping: it })),
    [{ map: maps[0] as string }, { map: maps[0] as string }],
    [{ mapping }, { mapping }],
  ]) {
    const made = files.map((it) => pool.indexMap(it))
    loads.push(load())
    for (const index of await Promise.all(made)) expect(index.length).toBeGreaterThan(0)
  }
  expect(loads).toEqual([
    [2, 0],
    [2, 0],
    [1, 1],
    [1, 1],
  ])
})

it('requests no web scripts before those of a mini program', async () => {
  let asked = 0
  const findScripts: ArtifactSource['findScripts'] = async () => {
    asked++
    return []
  }
  const miniPrograms = { findMaps: async () => [], entriesOf: async () => [], releases: async () => [] }
  const source: ArtifactSource = { ...good, findScripts, miniPrograms }
  const stack = '    at f (https://usr/app-service.js:1:1)'
  await shared.symbolicate({ ...release, stack, platform: 'miniprogram' }, source)
  expect(asked).toBe(0)
})

it('rethrows an error from the source unchanged', async () => {
  const outage = Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })
  const source: ArtifactSource = { ...good, findScripts: () => Promise.reject(outage) }
  await expect(shared.symbolicate({ ...release, stack: jsStack(1) }, source)).rejects.toBe(outage)
  expect((await explain(good, jsStack(1)))[0]?.resolved).toMatchObject({ file: 'a.ts' })
})

/**
 * A source whose responses never arrive.
 * @param onWait called when a thread begins to wait.
 */
const hungSource = (onWait = () => {}): ArtifactSource => ({
  ...good,
  findScripts: async (_, paths) =>
    (await good.findScripts(release, paths)).map((found) => ({
      ...found,
      contentKey: 'hung',
      locate: () => {
        onWait()
        return new Promise(() => {})
      },
    })),
})
const hung = hungSource()
const CANCELLED = { name: 'Unanswered', code: 'cancelled', message: 'The caller stopped waiting for the result.' }
const idle = { running: 0, waiting: 0 }

it('answers a query that takes or waits too long with that reason, and releases its thread', async () => {
  const pool = poolOf({ timeoutMs: 700 })
  const ask = (source: ArtifactSource) => pool.symbolicate({ ...release, stack: jsStack(1) }, source)
  const later: ArtifactSource['findScripts'] = async (...query) => {
    await new Promise(setImmediate)
    return good.findScripts(...query)
  }
  // The second question arrives while the thread starts, so its time is up first.
  const [long, next] = [hung, { ...good, findScripts: later }].map((it) => ask(it).catch((error: Error) => error))
  expect(await next).toMatchObject({
    code: 'busy',
    message: 'Other stacks took too long, so this stack could not be resolved in time.',
  })
  expect(await long).toMatchObject({
    code: 'too-expensive',
    message: 'Resolving this stack took more than 0.7 s.',
  })
  expect(pool.load()).toEqual({ ...idle, cachedBytes: 0 })
})

describe('a client that disconnects', () => {
  const uses: unknown[] = []
  const pool = poolOf({ onCacheUse: (use) => uses.push(use) })
  const ask = (source: ArtifactSource, signal?: AbortSignal) =>
    pool.symbolicate({ ...release, stack: jsStack(2) }, source, { ...(signal && { signal }) })

  it('cancels the query of a client that disconnects before the start or while waiting', async () => {
    await ask(good)
    await expect(ask(good, AbortSignal.abort())).rejects.toMatchObject(CANCELLED)
    const gate = new EventEmitter()
    const held = once(gate, 'open')
    const first = ask({
      ...hung,
      findScripts: async (...query) =>
        (await good.findScripts(...query)).map((it) => ({
          ...it,
          contentKey: 'held',
          locate: (part) => held.then(() => it.locate?.(part)),
        })),
    })
    await vi.waitUntil(() => pool.load().running === 1)
    const controller = new AbortController()
    const waiting = ask(good, controller.signal)
    await vi.waitUntil(() => pool.load().waiting === 1)
    controller.abort()
    await expect(waiting).rejects.toMatchObject(CANCELLED)
    expect(pool.load()).toMatchObject({ running: 1, waiting: 0 })
    gate.emit('open')
    expect((await first).frames[0]?.resolved).toMatchObject({ file: 'a.ts' })
    // By now, the thread has both files of the source.
    uses.length = 0
    await ask(good)
    expect(uses).toEqual([{ hits: 1, misses: 0, bytes: pool.load().cachedBytes }])
  })

  it('cancels a running query of a client that disconnects, and replaces a thread that does not stop', async () => {
    const controller = new AbortController()
    const waits = new EventEmitter()
    const left = ask(
      hungSource(() => waits.emit('waits')),
      controller.signal,
    )
    await once(waits, 'waits')
    const next = ask(good)
    controller.abort()
    await expect(left).rejects.toMatchObject(CANCELLED)
    uses.length = 0
    expect((await next).frames[0]?.resolved).toMatchObject({ file: 'a.ts' })
    expect(uses).toEqual([{ hits: 0, misses: 1, bytes: pool.load().cachedBytes }])
    expect(pool.load()).toMatchObject(idle)
  })
})

it('ends a running query with the error of the source, and keeps the thread', async () => {
  const outage = Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })
  const locate = () => Promise.reject(outage)
  const failing = {
    ...good,
    findScripts: async () =>
      (await good.findScripts(release, ['/a.js'])).map((it) => ({ ...it, contentKey: 'lost', locate })),
  }
  await expect(shared.symbolicate({ ...release, stack: jsStack(1) }, failing)).rejects.toBe(outage)
  expect((await explain(good, jsStack(1)))[0]?.resolved).toMatchObject({ file: 'a.ts' })
  // Includes the error code: a full disk in a thread is not a bug in the program.
  const missing = { code: 'ENOENT', message: expect.stringContaining('ENOENT') }
  await expect(shared.indexMap({ map: join(directory, 'none') })).rejects.toMatchObject(missing)
})

/** Works for any name of the system's temporary directory. */
const temporaryFilesIn = (path: string) => {
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, path)
}
// Runs after a failed test too, because other files run in the same process.
afterEach(() => void vi.unstubAllEnvs())

it('starts a thread with the pool on request, which runs the first query or ends without one', async () => {
  const temporary = join(directory, 'ahead')
  mkdirSync(temporary)
  temporaryFilesIn(temporary)
  const [asked, unasked] = [poolOf({ startsAhead: true, threads: 2 }), poolOf({ startsAhead: true })]
  expect(readdirSync(temporary)).toHaveLength(2)
  expect((await asked.symbolicate({ ...release, stack: jsStack(1) }, good)).frames[0]?.resolved).not.toBeNull()
  vi.unstubAllEnvs()
  expect(readdirSync(temporary)).toHaveLength(2)
  await Promise.all([asked.close(), unasked.close()])
  await vi.waitUntil(() => readdirSync(temporary).length === 0)
  expect((await asked.symbolicate({ ...release, stack: jsStack(1) }, good)).frames[0]?.resolved).not.toBeNull()
})

it('answers all queries on closing, and leaves no temporary files', async () => {
  const temporary = join(directory, 'temporary')
  mkdirSync(temporary)
  temporaryFilesIn(temporary)
  const pool = poolOf()
  const ask = (source: ArtifactSource) => pool.symbolicate({ ...release, stack: jsStack(1) }, source)
  // If both questions were asked together, the good one might run first and finish.
  const running = ask(hung).catch((error: Error) => error)
  await vi.waitUntil(() => pool.load().running === 1, 30_000)
  const asked = [running, ask(good).catch((error: Error) => error)]
  await vi.waitUntil(() => pool.load().waiting === 1, 30_000)
  vi.unstubAllEnvs()
  expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^symup-stacks-/)])
  await pool.close()
  for (const error of await Promise.all(asked))
    expect(error).toMatchObject({ code: 'cancelled', message: 'The pool of threads is being closed.' })
  expect(pool.load()).toMatchObject(idle)
  await vi.waitUntil(() => readdirSync(temporary).length === 0, 30_000)
})

it('resolves stacks even without a directory for temporary files', async () => {
  temporaryFilesIn(join(directory, 'none'))
  const pool = poolOf()
  const { frames } = await pool.symbolicate({ ...release, stack: jsStack(1) }, good)
  expect(frames[0]?.resolved).toMatchObject({ file: 'a.ts' })
})

describe('a remote map', () => {
  const map = mapOf('AAAA', [`let x // ${'x'.repeat(100_000)}`])
  const path = fileOf(map)
  const reads: unknown[] = []
  let outcome: 'whole' | 'short' | 'failed' = 'whole'
  const readDistant: StorePoolOptions['readDistant'] = async (content, position, length) => {
    reads.push(content)
    if (outcome === 'failed') throw new Error('connection lost')
    return Buffer.from(map).subarray(position, position + length - (outcome === 'short' ? 1 : 0))
  }
  const pool = poolOf({ readDistant })
  const made = pool.indexMap({ map: path }).then((index) => fileOf(Buffer.from(index)))
  let located: string[] = []
  const ask = async (key: string) => {
    located = []
    const index = await made
    const findScripts: ArtifactSource['findScripts'] = async () => [
      {
        ...{ ...release, path: '/a.js', contentKey: key, readMap: async () => Buffer.from(map) },
        readScript: async () => undefined,
        async locate(part) {
          located.push(part)
          return part === 'index' ? index : part === 'map' ? path : undefined
        },
        distantMap: async () => ({ content: 'sha', size: map.length }),
      },
    ]
    return (await pool.symbolicate({ ...release, stack: jsStack(1) }, { ...good, findScripts })).frames[0]
  }

  it('reads a remote map in parts', async () => {
    expect((await ask('1'))?.resolved).toMatchObject({ file: 'a.ts', line: 1 })
    expect([new Set(reads), located]).toEqual([new Set(['sha']), ['index']])
  })

  it.each(['short', 'failed'] as const)('copies a remote map if a part arrives %s', async (how) => {
    outcome = how
    expect((await ask(how))?.resolved).toMatchObject({ file: 'a.ts', line: 1 })
    expect(located).toContain('map')
  })
})
