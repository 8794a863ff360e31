import FormData from 'form-data'
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
function bodyOf(held = {}): string {
  const { contentType, pieces } = multipart(upload, held)
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

it('has the event, the files where they belong, and the repository; no name leaves its quotes', () => {
  const map = [
    '--B',
    'Content-Disposition: form-data; name="source_map"; filename="source_map"',
    'Content-Type: application/octet-stream',
    '',
    '</source_map>',
  ]
  expect(bodyOf()).toBe([...EVENT, ...map, ...MINIFIED, ...REPOSITORY].join('\r\n'))
})

it('names what the intake holds in place of the file', () => {
  const held = { source_map: { sha256: 'a'.repeat(64), filename: 'source_map' } }
  const named = [
    '--B',
    'Content-Disposition: form-data; name="held"',
    'Content-Type: application/json',
    '',
    JSON.stringify(held),
  ]
  expect(bodyOf(held)).toBe([...EVENT, ...named, ...MINIFIED, ...REPOSITORY].join('\r\n'))
})

it('has a boundary of its own each time', () => {
  const [one, two] = [multipart(upload, {}), multipart(upload, {})]
  expect(one.contentType).not.toBe(two.contentType)
})

it('is what form-data makes of it', () => {
  const form = new FormData()
  form.append('event', JSON.stringify(upload.event), { contentType: 'application/json' })
  for (const { name, filename, path, contentType = 'application/octet-stream' } of upload.parts)
    form.append(name, `<${path}>`, { filename, contentType })
  const { url, commit, files } = upload.repository as NonNullable<SymbolUpload['repository']>
  const document = { data: [{ files, hash: commit, repository_url: url }], version: 1 }
  const options = { contentType: 'application/json', filename: 'repository' }
  form.append('repository', JSON.stringify(document), options)
  expect(bodyOf()).toBe(form.getBuffer().toString().replaceAll(form.getBoundary(), 'B'))
})
