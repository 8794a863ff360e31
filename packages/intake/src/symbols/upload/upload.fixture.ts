import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { type Intake, type IntakeOptions, startIntake } from '../../index.ts'

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

/** An intake for each test of a file, over a data directory of its own. */
export class UploadTests {
  intake!: Intake
  dataDir = ''

  constructor(options: IntakeOptions = {}) {
    beforeEach(async () => {
      this.dataDir = mkdtempSync(join(tmpdir(), 'symup-intake-test-'))
      this.intake = await startIntake({ dataDir: this.dataDir, ...options })
    })
    afterEach(async () => {
      await this.intake.close()
      rmSync(this.dataDir, { recursive: true })
    })
  }

  async restart(): Promise<void> {
    await this.intake.close()
    this.intake = await startIntake({ dataDir: this.dataDir })
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

  async operation(path: string, body: unknown, key = 'dev-app-key') {
    const response = await fetch(`${this.intake.url}${path}?app_key=${key}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: the tests look into every corner of the answer.
    return { status: response.status, ...((await response.json()) as any) }
  }

  incoming(): string[] {
    return readdirSync(join(this.dataDir, 'incoming'))
  }

  /** And the next upload is taken. */
  async expectNothingStored(): Promise<void> {
    expect(await this.intake.uploads()).toEqual([])
    expect(this.incoming()).toEqual([])
    expect(readdirSync(this.dataDir)).not.toContain('blobs')
    expect((await this.post(multipart([event(), map, script]))).status).toBe(200)
  }
}
