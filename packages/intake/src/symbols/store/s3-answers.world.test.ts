import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { useServer } from '../../../../../test/support/server.ts'
import { asOutage } from '../../platform/database/outage.ts'
import { s3Blobs } from './s3-blobs.ts'
import { PART_BYTES } from './s3-client.ts'
import { openStaging } from './staging.ts'

const directory = useDirectory('each')
let answer: (method: string, url: string, response: ServerResponse) => void
const server = useServer(({ method = '', url = '' }, response) => answer(method, url, response))
beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
})
afterAll(() => void vi.unstubAllEnvs())

const ERROR = '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>We failed.</Message></Error>'
const INITIATED =
  '<?xml version="1.0"?><InitiateMultipartUploadResult><UploadId>7</UploadId></InitiateMultipartUploadResult>'

it.each<[string, typeof answer]>([
  [
    'an initiation without an id',
    (method, _url, response) => response.writeHead(method === 'HEAD' ? 404 : 200).end('<a/>'),
  ],
  [
    'an initiation that is not XML',
    (method, _url, response) => response.writeHead(method === 'HEAD' ? 404 : 200).end('no'),
  ],
  [
    'a part without a tag, and a completion with 200 and an error',
    (method, url, response) => {
      response.writeHead(method === 'HEAD' ? 404 : 200).end(url.endsWith('uploads') ? INITIATED : ERROR)
    },
  ],
])('treats %s as an S3 outage, so that the client tries again', async (_name, answers) => {
  answer = answers
  const blobs = s3Blobs(`s3://bucket?endpoint=${server.url}`, await openStaging(directory))
  const blob = await blobs.stage(Readable.from([Buffer.alloc(PART_BYTES + 1)]))
  const failure = await blobs.put(blob).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(asOutage(failure), String(failure)).toMatchObject({ code: 'ServiceUnavailable' })
  await blobs.close()
})
