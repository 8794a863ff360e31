import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { asOutage } from '../../platform/database/outage.ts'
import { S3Blobs } from './s3-blobs.ts'
import { PART_BYTES } from './s3-client.ts'
import { openStaging } from './staging.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-s3-answers-'))
let server: Server
let answer: (method: string, url: string, response: ServerResponse) => void
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => answer(request.method ?? '', request.url ?? '', response))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))
afterAll(() => {
  vi.unstubAllEnvs()
  server.close()
})

const ERROR = '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>We failed.</Message></Error>'
const INITIATED =
  '<?xml version="1.0"?><InitiateMultipartUploadResult><UploadId>7</UploadId></InitiateMultipartUploadResult>'

it.each<[string, typeof answer]>([
  [
    'an initiation without an id',
    (method, _url, response) => response.writeHead(method === 'HEAD' ? 404 : 200).end('<a/>'),
  ],
  [
    'an initiation that is no XML',
    (method, _url, response) => response.writeHead(method === 'HEAD' ? 404 : 200).end('no'),
  ],
  [
    'a part without a tag, and a completion of 200 with an error',
    (method, url, response) => {
      response.writeHead(method === 'HEAD' ? 404 : 200).end(url.endsWith('uploads') ? INITIATED : ERROR)
    },
  ],
])('%s is an outage of S3: the client of the intake tries again', async (_name, answers) => {
  answer = answers
  const { port } = server.address() as AddressInfo
  const blobs = new S3Blobs(`s3://bucket?endpoint=http://127.0.0.1:${port}`, await openStaging(directory))
  const blob = await blobs.stage(Readable.from([Buffer.alloc(PART_BYTES + 1)]))
  const failure = await blobs.put(blob).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(asOutage(failure), String(failure)).toMatchObject({ code: 'ServiceUnavailable' })
  await blobs.close()
})
