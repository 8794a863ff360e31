import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { SymbolUpload } from '../model/plan.ts'
import { zlibDeflater } from './deflater.ts'
import { Encoders } from './encoders.ts'
import { requestBody, WHOLE_BYTES } from './request-body.ts'

const DECODE = { gzip: gunzipSync, br: brotliDecompressSync, identity: (bytes: Buffer) => bytes }

const uploadOf = (content: Buffer, more: object = {}) =>
  ({
    event: { type: 'js_sourcemap', service: 's', version: '1', minified_url: '/a.js' },
    parts: [{ name: 'source_map', filename: 'a.js.map', path: 'a.js.map', bytes: content.length, content }],
    ...more,
  }) as unknown as SymbolUpload

const encoders = new Encoders(zlibDeflater(1))

it.each([
  ['gzip', 'a small one', 1000],
  ['br', 'a small one', 1000],
  ['identity', 'a small one', 1000],
  ['gzip', 'a large one', WHOLE_BYTES + 1000],
  ['br', 'a large one', WHOLE_BYTES + 1000],
  ['identity', 'a large one', WHOLE_BYTES + 1000],
] as const)('says %s of a body, and it is: %s', async (encoding, _, bytes) => {
  const content = Buffer.from(`{"version":3,"mappings":"${'AAAA;'.repeat(bytes / 5)}"}`)
  const { headers, chunks, length, close } = await requestBody(uploadOf(content), { encoding, level: 1 }, encoders)
  const pieces: Buffer[] = []
  for await (const piece of chunks) pieces.push(piece)
  close()
  expect(headers['Content-Encoding']).toBe(encoding === 'identity' ? undefined : encoding)
  expect(headers['Content-Length']).toBe(encoding === 'identity' ? String(length) : undefined)
  const body = DECODE[encoding](Buffer.concat(pieces))
  expect(body.length).toBe(length)
  expect(body.includes(content)).toBe(true)
})

it('sends an archive as it is, whatever the intake can read', async () => {
  const content = Buffer.from('PK')
  const archive = uploadOf(content, { encoding: 'identity' })
  const { headers, chunks, close } = await requestBody(archive, { encoding: 'gzip', level: 1 }, encoders)
  const pieces: Buffer[] = []
  for await (const piece of chunks) pieces.push(piece)
  close()
  expect(headers).not.toHaveProperty('Content-Encoding')
  expect(Buffer.concat(pieces).includes(content)).toBe(true)
})
