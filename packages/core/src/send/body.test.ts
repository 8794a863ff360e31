import { mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { requestBody, UnreadableFile, WHOLE_BYTES } from './body.ts'

const root = mkdtempSync(join(tmpdir(), 'symup-body-'))
afterAll(() => rmSync(root, { recursive: true }))

const part = (name: string, content: string, more: Partial<FilePart> = {}): FilePart => {
  const path = join(root, name)
  writeFileSync(path, content)
  return { name, filename: name, path, bytes: Buffer.byteLength(content), ...more }
}
const event = {
  type: 'js_sourcemap' as const,
  ...{ cli_version: '0', service: 'é', version: '1', minified_url: '/a.js', project_path: '' },
}

async function bytesOf(content: Buffer | Readable): Promise<Buffer> {
  if (Buffer.isBuffer(content)) return content
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The form as text, with `B` as its boundary. */
async function formOf(upload: SymbolUpload, held = {}): Promise<string> {
  const { headers, content } = await requestBody({ ...upload, encoding: 'identity' }, held, 1)
  const boundary = /^multipart\/form-data; boundary=([-\w]+)$/.exec(headers['Content-Type'] ?? '')?.[1] ?? 'none'
  return (await bytesOf(content)).toString().replaceAll(boundary, 'B')
}

describe('the upload form', () => {
  const upload: SymbolUpload = {
    event,
    parts: [
      part('source_map', '{}'),
      part('minified_file', 'code', { filename: 'größe "1".js\r\nX-Header: y', contentType: 'text/javascript' }),
    ],
    repository: { url: 'https://git.example.com/a', commit: 'abc', files: ['src/ü.ts'] },
  }
  const field = (disposition: string, type: string, value: string) =>
    `--B\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n${value}\r\n`
  const EVENT = field('name="event"', 'application/json', JSON.stringify(event))
  const MAP = field('name="source_map"; filename="source_map"', 'application/octet-stream', '{}')
  const SCRIPT = field('name="minified_file"; filename="größe %221%22.js%0D%0AX-Header: y"', 'text/javascript', 'code')
  const REPOSITORY = field(
    'name="repository"; filename="repository"',
    'application/json',
    '{"data":[{"files":["src/ü.ts"],"hash":"abc","repository_url":"https://git.example.com/a"}],"version":1}',
  )

  it('writes the event, the files and the repository into the form, and lets no name break out of its quotes', async () => {
    expect(await formOf(upload)).toBe(`${EVENT}${MAP}${SCRIPT}${REPOSITORY}--B--\r\n`)
  })

  it('names content that the intake already has instead of sending the file', async () => {
    const held = { source_map: { sha256: 'ab', filename: 'source_map' } }
    const HELD = field('name="held"', 'application/json', JSON.stringify(held))
    expect(await formOf(upload, held)).toBe(`${EVENT}${HELD}${SCRIPT}${REPOSITORY}--B--\r\n`)
  })
})

const small = '{"version":3}'
const large = `{"mappings":"${'AAAA;'.repeat(WHOLE_BYTES / 5)}"}`

describe.each([
  ['small', small],
  ['large', large],
])('a %s upload body', (_, content) => {
  const inMemory = (bytes: Buffer) => ({ path: '/none', bytes: bytes.length, content: bytes })

  it.each(['on disk', 'in memory'])('gzips an upload body: %s', async (where) => {
    const map = part('source_map', content, where === 'in memory' ? inMemory(Buffer.from(content)) : {})
    const body = await requestBody({ event, parts: [map] }, {}, 1)
    expect(body.headers).toMatchObject({ 'Content-Encoding': 'gzip' })
    expect(body.headers).not.toHaveProperty('Content-Length')
    expect(gunzipSync(await bytesOf(body.content)).includes(content)).toBe(true)
  })

  it('sends an upload body unchanged with its length if it is already compressed', async () => {
    const body = await requestBody({ event, parts: [part('zip', content)], encoding: 'identity' }, {}, 1)
    const bytes = await bytesOf(body.content)
    expect(body.headers).toMatchObject({ 'Content-Length': String(bytes.length) })
    expect(body.headers).not.toHaveProperty('Content-Encoding')
    expect(bytes.includes(content)).toBe(true)
  })

  it('fails if a file is missing', async () => {
    const gone = part('gone', content)
    rmSync(gone.path)
    await expect(requestBody({ event, parts: [gone] }, {}, 1)).rejects.toMatchObject({
      path: gone.path,
      code: 'ENOENT',
    })
  })
})

it('fails if a file shrinks while a large body is sent', async () => {
  const cut = part('cut', large)
  const { content } = await requestBody({ event, parts: [cut] }, {}, 1)
  truncateSync(cut.path, 10)
  await expect(bytesOf(content)).rejects.toEqual(new UnreadableFile(cut.path, 'TRUNCATED'))
})

it.skipIf(process.platform !== 'linux')('closes the files of an abandoned large body', async () => {
  const map = part('open', large)
  const isOpen = () =>
    readdirSync('/proc/self/fd').some((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`) === map.path
      } catch {
        return false
      }
    })
  const { content } = await requestBody({ event, parts: [map] }, {}, 1)
  for await (const _ of content as Readable) break
  await expect.poll(isOpen).toBe(false)
})
