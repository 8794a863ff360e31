import { expect, it } from 'vitest'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { multipart } from './multipart.ts'

const part = (name: string, filename = name, more: Partial<FilePart> = {}): FilePart => ({
  name,
  filename,
  path: `/${name}`,
  bytes: 1,
  ...more,
})

const upload: SymbolUpload = {
  event: {
    type: 'js_sourcemap',
    cli_version: '0',
    service: 'é',
    version: '1',
    minified_url: '/a.js',
    project_path: '',
  },
  parts: [part('source_map'), part('minified_file', 'größe "1".js\r\nX-Header: y', { contentType: 'text/javascript' })],
  repository: { url: 'https://git.example.com/a', commit: 'abc', files: ['src/ü.ts'] },
}

/** The body with each file as `<path>`. */
async function bodyOf(held = {}): Promise<string> {
  const { contentType, pieces } = await multipart(upload, held)
  const boundary = /^multipart\/form-data; boundary=([-\w]+)$/.exec(contentType)?.[1] ?? 'none'
  const text = pieces.map((piece) => (Buffer.isBuffer(piece) ? piece.toString() : `<${piece.path}>`)).join('')
  return text.replaceAll(boundary, 'B')
}

const EVENT = [
  '--B',
  'Content-Disposition: form-data; name="event"',
  'Content-Type: application/json',
  '',
  JSON.stringify(upload.event),
]
const MINIFIED = [
  '--B',
  'Content-Disposition: form-data; name="minified_file"; filename="größe %221%22.js%0D%0AX-Header: y"',
  'Content-Type: text/javascript',
  '',
  '</minified_file>',
]
const REPOSITORY = [
  '--B',
  'Content-Disposition: form-data; name="repository"; filename="repository"',
  'Content-Type: application/json',
  '',
  '{"data":[{"files":["src/ü.ts"],"hash":"abc","repository_url":"https://git.example.com/a"}],"version":1}',
  '--B--',
  '',
]

it('has the event, the files where they belong, and the repository; no name leaves its quotes', async () => {
  const map = [
    '--B',
    'Content-Disposition: form-data; name="source_map"; filename="source_map"',
    'Content-Type: application/octet-stream',
    '',
    '</source_map>',
  ]
  expect(await bodyOf()).toBe([...EVENT, ...map, ...MINIFIED, ...REPOSITORY].join('\r\n'))
})

it('names what the intake holds in place of the file', async () => {
  const held = { source_map: { sha256: 'a'.repeat(64), filename: 'source_map' } }
  const named = [
    '--B',
    'Content-Disposition: form-data; name="held"',
    'Content-Type: application/json',
    '',
    JSON.stringify(held),
  ]
  expect(await bodyOf(held)).toBe([...EVENT, ...named, ...MINIFIED, ...REPOSITORY].join('\r\n'))
})

it('has a boundary of its own each time', async () => {
  const [one, two] = await Promise.all([multipart(upload, {}), multipart(upload, {})])
  expect(one.contentType).not.toBe(two.contentType)
})
