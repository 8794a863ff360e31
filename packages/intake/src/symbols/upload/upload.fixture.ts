import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect } from 'vitest'
import type { IntakeOptions } from '../../index.ts'
import { type SharedCaller, useCaller } from '../../test-support/calling.fixture.ts'

export const MAP = '{"version":3,"sources":["a.ts"],"sourcesContent":["throw 1\\n"],"names":[],"mappings":"AAAA"}'
const EVENT = { type: 'js_sourcemap', service: 's', version: '1', minified_url: 'https://cdn/x/a.js?v=1' }

export interface Part {
  name: string
  content: string | Buffer
  filename?: string
  type?: string
}

export const event = (extra: object = {}, filename?: string): Part => ({
  name: 'event',
  content: JSON.stringify({ ...EVENT, ...extra }),
  ...(filename !== undefined && { filename }),
})
export const map: Part = { name: 'source_map', filename: '../../etc/passwd', content: MAP }
export const script: Part = { name: 'minified_file', filename: 'minified_file', content: 'throw 1' }

export function multipart(parts: Part[], boundary = 'xyz'): Buffer {
  const chunks: (string | Buffer)[] = []
  for (const { name, content, filename, type } of parts) {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    chunks.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n`)
    chunks.push(`${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`, content, '\r\n')
  }
  chunks.push(`--${boundary}--\r\n`)
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))
}

/** One intake for the tests in a file. It is emptied before each test. */
export class UploadTests {
  readonly caller: SharedCaller
  #before: { blobs: string[]; incoming: string[] } | undefined

  constructor(options: IntakeOptions = {}) {
    this.caller = useCaller(options)
    beforeEach(() => {
      this.#before = this.#files()
    })
  }

  get intake() {
    return this.caller.intake
  }

  async post(body: Buffer, headers: Record<string, string> = {}, path = '/sourcemap/upload') {
    const response = await fetch(this.intake.url + path, {
      method: 'POST',
      headers: { 'DD-API-KEY': 'dev-api-key', 'Content-Type': 'multipart/form-data; boundary=xyz', ...headers },
      body,
    })
    const answer = (await response.json()) as {
      request_id: string
      data?: object
      error?: { code: string; message: string }
    }
    expect(response.headers.get('service-request-id')).toBe(answer.request_id)
    return { status: response.status, code: answer.error?.code, message: answer.error?.message ?? '' }
  }

  incoming(): string[] {
    return readdirSync(join(this.caller.dataDir, 'incoming'))
  }

  /** Contents that the intake stores as separate files. */
  blobs(): string[] {
    const { dataDir } = this.caller
    if (!readdirSync(dataDir).includes('blobs')) return []
    return readdirSync(join(dataDir, 'blobs')).flatMap((folder) => readdirSync(join(dataDir, 'blobs', folder)))
  }

  /** Local copies stay in the staging directory, and contents outlive their records, including those from earlier tests. */
  #files() {
    return { blobs: this.blobs().sort(), incoming: this.incoming().sort() }
  }

  /** Also checks that the intake accepts the next upload. */
  async expectNothingStored(): Promise<void> {
    expect(await this.intake.uploads()).toEqual([])
    expect(this.#files()).toEqual(this.#before)
    expect((await this.post(multipart([event(), map, script]))).status).toBe(200)
  }
}
