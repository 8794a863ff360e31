import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SymbolUpload } from '@symup/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onePerUrl } from './one-per-url.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-one-'))
  mkdirSync(join(root, 'dist'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const inDist = (file: string) => join(root, 'dist', file)

function artifact(script: string, map = `${script}.map`, url = `/${script}`): SymbolUpload {
  for (const file of [script, map]) writeFileSync(inDist(file), `{ "of": "${file}" }`)
  const part = (name: string, file: string) => ({ name, filename: name, path: inDist(file), bytes: 1 })
  return {
    event: { type: 'js_sourcemap', cli_version: '0', service: 's', version: '1', minified_url: url, project_path: '' },
    parts: [part('source_map', map), part('minified_file', script)],
  }
}

describe('onePerUrl', () => {
  it('takes the same bytes under one address as one artifact', async () => {
    const twice = [artifact('a.js'), artifact('a.js')]
    expect(await onePerUrl(twice, root)).toEqual({ uploads: [twice[0]], problems: [] })
  })

  it('keeps the first of two different files, and says so', async () => {
    const { uploads, problems } = await onePerUrl([artifact('a.js'), artifact('b.js', 'b.js.map', '/a.js')], root)
    expect(uploads.map(({ parts }) => parts[1]?.path)).toEqual([inDist('a.js')])
    expect(problems).toMatchObject([{ code: 'address-taken', file: join('dist', 'b.js') }])
  })
})
