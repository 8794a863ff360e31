import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { DEFAULT_SEED, type Intake, type IntakeOptions, startIntake } from '../index.ts'
import { internalsOf } from '../internals.ts'

interface Answer {
  status: number
  headers: Headers
  /** As it came, digit by digit. */
  text: string
  code: string | undefined
  message: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  data: any
}

interface Uploaded {
  status: number
  headers: Headers
  code: string | undefined
  message: string
}

export interface Caller {
  intake: Intake
  /** Sends text as it is and anything else as JSON, with `dev-app-key` unless told otherwise. */
  post(path: string, body?: unknown, options?: { key?: string; headers?: Record<string, string> }): Promise<Answer>
  /** Uploads files, by the names of their parts. One without a name of its own is named as its part. */
  upload(
    event: object,
    files: Readonly<Record<string, string | Buffer | File>>,
    headers?: Record<string, string>,
  ): Promise<Uploaded>
}

/** An intake without rate limits, and who calls it. */
export async function callIntake(options: IntakeOptions = {}): Promise<Caller> {
  const intake = await startIntake({
    seed: DEFAULT_SEED,
    rateLimits: { perSecond: false, perMinute: false },
    ...options,
  })
  return {
    intake,
    async post(path, body, { key = 'dev-app-key', headers = {} } = {}) {
      const query = key === '' ? '' : `?app_key=${encodeURIComponent(key)}`
      const response = await fetch(`${intake.url}${path}${query}`, {
        method: 'POST',
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const { request_id, data, error } = JSON.parse(text)
      if (response.headers.get('service-request-id') !== request_id) throw new Error(`request ids differ: ${text}`)
      if ((data === undefined) !== response.status >= 400 || (error === undefined) !== response.status < 400) {
        throw new Error(`neither success nor failure: ${response.status} ${text}`)
      }
      return {
        status: response.status,
        headers: response.headers,
        text,
        code: error?.code,
        message: error?.message ?? '',
        data,
      }
    },
    async upload(event, files, headers = {}) {
      const form = new FormData()
      form.set('event', JSON.stringify(event))
      for (const [name, content] of Object.entries(files))
        form.set(name, content instanceof File ? content : new File([content], name))
      const response = await fetch(`${intake.url}/sourcemap/upload`, {
        method: 'POST',
        headers: { 'DD-API-KEY': 'dev-api-key', ...headers },
        body: form,
      })
      const { error } = (await response.json()) as { error?: { code: string; message: string } }
      const { status, headers: answered } = response
      return { status, headers: answered, code: error?.code, message: error?.message ?? '' }
    },
  }
}

export interface SharedCaller extends Caller {
  /** Where the intake keeps what it receives. */
  readonly dataDir: string
}

/**
 * One intake for the tests of a file, empty and back to its seed before each of them.
 * @param keeps leaves what a test made to the next one: a reset takes time, which tests that change nothing can do without.
 */
export function useCaller(options: IntakeOptions = {}, { keeps = false } = {}): SharedCaller {
  const dataDir = mkdtempSync(join(tmpdir(), 'symup-caller-'))
  let caller: Caller | undefined
  const started = () => {
    if (!caller) throw new Error('The intake starts in beforeAll: use it within a test')
    return caller
  }
  beforeAll(async () => {
    caller = await callIntake({ dataDir, ...options })
  })
  if (!keeps) beforeEach(() => internalsOf(started().intake).control.reset(options.seed ?? DEFAULT_SEED))
  afterAll(async () => {
    await caller?.intake.close()
    rmSync(dataDir, { recursive: true })
  })
  return {
    dataDir,
    get intake() {
      return started().intake
    },
    post: (...asked) => started().post(...asked),
    upload: (...sent) => started().upload(...sent),
  }
}
