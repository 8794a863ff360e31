import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { validate } from './validate.ts'

const directory = useDirectory()

const EVENT = {
  type: 'js_sourcemap',
  service: 'web',
  version: '1',
  minified_url: '/a.js',
  cli_version: '',
  project_path: '',
}

/** The response to an upload with this map, or '' if it is accepted. */
async function answerTo(path: string, fields: object = {}): Promise<string> {
  const part = (name: string) => ({ name, filename: name, blob: { path, bytes: statSync(path).size, sha256: '' } })
  const files = [part('source_map'), part('minified_file')] as unknown as Parameters<typeof validate>[0]['files']
  return validate({ texts: new Map([['event', JSON.stringify({ ...EVENT, ...fields })]]), files }).then(
    () => '',
    (error: Error) => error.message,
  )
}

function written(text: string): string {
  const path = join(directory, 'map.json')
  writeFileSync(path, text)
  return path
}

describe('a field with the value null', () => {
  const map = '{"version":3,"sources":["a"],"names":[],"mappings":"AAAA"}'

  it('treats a field with the value null as absent if the kind does not need it', async () => {
    const id = { debug_id: '85314830-023f-4cf1-a267-535f4e37bb17' }
    expect(await answerTo(written(map), { ...id, service: null, version: null, git_commit_sha: null })).toBe('')
  })

  it('treats a field with the value null as missing if the kind needs it', async () => {
    expect(await answerTo(written(map), { minified_url: null })).toContain('event.minified_url')
    expect(await answerTo(written(map), { service: null })).toContain('event.service')
  })
})

describe('the bytes of a source map', () => {
  const map = (fields: object) => JSON.stringify({ version: 3, sources: ['a'], names: [], mappings: 'AAAA', ...fields })

  it.each([
    ['a plain map', map({})],
    ['a map after a byte order mark and a guard', `\uFEFF)]}'\n${map({})}`],
    ['a version in quotes', map({ version: '3' })],
    [
      'sections',
      JSON.stringify({ version: 3, sections: [{ offset: { line: 0, column: 0 }, map: JSON.parse(map({})) }] }),
    ],
  ])('accepts %s', async (_, text) => {
    expect(await answerTo(written(text))).toBe('')
  })

  it.each([
    ['not JSON', '<html>', 'The value is not valid JSON.'],
    ['truncated', map({}).slice(0, -4), 'The value is not valid JSON.'],
    ['a control character in a text', map({}).replace('AAAA', 'A\nA'), 'The value is not valid JSON.'],
    ['an escape that is none', map({}).replace('AAAA', 'A\\qA'), 'The value is not valid JSON.'],
    ['another version', map({ version: 2 }), 'The file is not a version 3 source map.'],
    ['a list', '[]', 'The file is not a version 3 source map.'],
    ['no mappings', map({ mappings: undefined }), 'The file is not a version 3 source map.'],
    [
      'numeric names',
      map({ names: [1] }),
      'The `names` array in the source map contains an entry that is not a string.',
    ],
    [
      'a section with an excessive offset',
      JSON.stringify({ version: 3, sections: [{ offset: { line: 4e9, column: 0 }, map: JSON.parse(map({})) }] }),
      'The offset of a section in the source map is missing or out of range.',
    ],
    ['nested without end', `${'['.repeat(1e6)}`, 'The JSON is nested more than 100 levels deep.'],
  ])('refused: %s', async (_, text, message) => {
    expect(await answerTo(written(text))).toContain(message)
  })
})
