import type { SymbolUpload } from '@symup/core'
import { expect, it } from 'vitest'
import { symbolicate } from './symbolicate.ts'
import { artifactSourceOf } from './upload-source.ts'

const ID = '11111111-2222-5333-8444-555555555555'

function upload(path: string, source: string, debugId?: string, version = '1'): SymbolUpload {
  const map = { version: 3, sources: [source], sourcesContent: ['throw 1\n'], names: [], mappings: 'AAAA' }
  const content = Buffer.from(JSON.stringify(map))
  const event = {
    type: 'js_sourcemap',
    cli_version: '0',
    service: 's',
    version,
    minified_url: path,
    project_path: '',
  } as const
  return {
    event: { ...event, ...(debugId !== undefined && { debug_id: debugId }) },
    parts: [
      { name: 'source_map', filename: 'source_map', path: `/${version}${path}.map`, bytes: content.length, content },
    ],
  }
}

async function frameOf(uploads: SymbolUpload[], debugIds: Record<string, string>, version = '1') {
  const stack = 'Error: x\n    at f (https://h/a.js:1:1)'
  const { frames } = await symbolicate({ stack, service: 's', version, debugIds }, artifactSourceOf(uploads))
  return frames[0]
}

async function fileOf(...event: Parameters<typeof frameOf>) {
  const frame = await frameOf(...event)
  return frame?.resolved?.file ?? frame?.reason?.code
}

it('prefers the debug id to the service, version and path', async () => {
  const uploads = [upload('/a.js', 'by-place.ts'), upload('/elsewhere.js', 'by-id.ts', ID)]
  expect(await fileOf(uploads, {})).toBe('by-place.ts')
  expect(await fileOf(uploads, { 'https://h/a.js': ID })).toBe('by-id.ts')
  expect(await fileOf(uploads, { 'https://h/a.js': ID.toUpperCase() }, '9')).toBe('by-id.ts')
})

it("ignores an unknown debug id, another file's id, or a built-in property name", async () => {
  const uploads = [upload('/a.js', 'by-place.ts'), upload('/elsewhere.js', 'by-id.ts', ID)]
  expect(await fileOf(uploads, { 'https://h/a.js': ID.replace('1', '9') })).toBe('by-place.ts')
  expect(await fileOf(uploads, { 'https://h/b.js': ID })).toBe('by-place.ts')
  expect(await fileOf(uploads, { constructor: ID }, '9')).toBe('version-mismatch')
})

it("uses the file from the stack's release, or else the newest, if several have the same id", async () => {
  const uploads = [upload('/a.js', 'one.ts', ID, '1'), upload('/a.js', 'two.ts', ID, '2')]
  expect(await fileOf(uploads, { 'https://h/a.js': ID }, '1')).toBe('one.ts')
  expect(await fileOf(uploads, { 'https://h/a.js': ID }, '2')).toBe('two.ts')
  expect(await fileOf(uploads, { 'https://h/a.js': ID }, '3')).toBe('two.ts')
})

it('names the other release if a frame comes from it', async () => {
  const uploads = [upload('/a.js', 'one.ts', ID, '1'), upload('/a.js', 'two.ts', ID, '2')]
  const noteIn = async (version: string) => (await frameOf(uploads, { 'https://h/a.js': ID }, version))?.note
  expect(await noteIn('2')).toBeUndefined()
  expect(await noteIn('3')).toBe('The file was found in the release s 2 by its debug id.')
  const bare = [upload('/a.js', 'one.ts', ID, '')]
  expect((await frameOf(bare, { 'https://h/a.js': ID }, '3'))?.note).toBe('The file was found by its debug id.')
})
