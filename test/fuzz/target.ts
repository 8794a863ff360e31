import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveSettings } from '@symup/core'
import { sourceArguments } from '../support/build-fixture.ts'
import { type Case, isUpload, type Request } from './cases.ts'
import type { Measure } from './intake-process.ts'

/** Limits that no input may exceed. */
const LIMITS = { delay: 1000, busy: 150, memory: 512 * 1024 * 1024, answer: 60_000 }

const FIRST_STACK: Request = {
  path: '/sourcemap/stack/enrich?app_key=dev-app-key',
  headers: { 'content-type': 'application/json' },
  body: btoa('{"service":"s","version":"1","stack":"Error\\n    at f (/a.js:1:1)"}'),
}

/** An intake in another process on which cases are tried. */
export interface Target {
  url: string
  /** Which limit or rule a case broke; undefined if none. Afterwards the target is unusable. */
  attempt(one: Case): Promise<string | undefined>
  close(): Promise<void>
}

export async function startTarget(): Promise<Target> {
  const child = fork(join(import.meta.dirname, 'intake-process.ts'), { execArgv: sourceArguments(), stdio: 'inherit' })
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  const measured = measuring(child)
  // The first stack loads code, once per process.
  await statusOf(FIRST_STACK, url)
  return {
    url,
    attempt: (one) => (one.config === undefined ? attempt(one.requests ?? [], url, measured) : configFlaw(one.config)),
    async close() {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(timer)
    },
  }
}

async function attempt(
  requests: readonly Request[],
  url: string,
  measured: () => Promise<Measure | undefined>,
): Promise<string | undefined> {
  let { stored = 0 } = (await measured()) ?? {}
  for (const one of requests) {
    const status = await statusOf(one, url)
    const measure = await measured()
    if (!measure) return 'the intake died'
    const { delay, busy, memory } = measure
    if (status === undefined) return `${one.path} was not answered`
    if (status === 500) return `${one.path} was answered with 500`
    if (one.isForeign && status < 400) return `${one.path} was answered to a page of another site`
    if (measure.scan !== undefined) return `a query reads all artifacts of an account: ${measure.scan}`
    if (!isUpload(one) && busy > LIMITS.busy) return `${one.path} took ${Math.round(busy)} ms of the event loop at once`
    if (delay > LIMITS.delay) return `the event loop stood still for ${Math.round(delay)} ms`
    if (memory > LIMITS.memory) return `it took ${Math.round(memory / 2 ** 20)} MiB`
    if (isUpload(one) && status >= 400 && measure.stored > stored) return 'a refused upload was stored'
    stored = measure.stored
  }
  return undefined
}

/** @returns undefined if the connection ends, or no answer comes in time. */
export function statusOf({ path, headers, body }: Request, url: string): Promise<number | undefined> {
  return new Promise((done) => {
    const sent = Buffer.from(body, 'base64')
    const asked = request(
      `${url}${path}`,
      { method: 'POST', agent: false, headers: { ...headers, 'Content-Length': sent.length } },
      (response) => response.resume().once('close', () => done(response.complete ? response.statusCode : undefined)),
    )
    const timer = setTimeout(() => asked.destroy(), LIMITS.answer)
    asked.once('error', () => done(undefined)).once('close', () => clearTimeout(timer))
    asked.end(sent)
  })
}

/** Queries a process's state; undefined if it has ended. */
function measuring(child: ChildProcess): () => Promise<Measure | undefined> {
  let answer: ((measure?: Measure) => void) | undefined
  child.on('message', (measure) => answer?.(measure as Measure))
  child.once('exit', () => answer?.())
  return () =>
    new Promise((done) => {
      answer = done
      if (!child.connected) return done(undefined)
      child.send('measure', (error) => error && done(undefined))
    })
}

async function configFlaw(text: string): Promise<string | undefined> {
  const cwd = mkdtempSync(join(tmpdir(), 'symup-fuzz-'))
  try {
    writeFileSync(join(cwd, 'symup.json'), text)
    const started = performance.now()
    resolveSettings({ options: {}, cwd, env: { SYMUP_API_KEY: 'a-key-of-some-length' } })
    return performance.now() - started > LIMITS.delay ? 'reading the config file took over a second' : undefined
  } catch (error) {
    return `reading the config file threw ${String(error)}`
  } finally {
    rmSync(cwd, { recursive: true })
  }
}
