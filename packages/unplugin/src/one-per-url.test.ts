import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SymbolUpload } from '@symup/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDirectory } from '../../../test/support/directory.ts'
import { onePerUrl } from './session.ts'

const root = useDirectory('each')
beforeEach(() => {
  mkdirSync(join(root, 'dist'))
})

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
  it('treats the same bytes under one URL as one artifact', async () => {
    const twice = [artifact('a.js'), artifact('a.js')]
    expect(await onePerUrl(twice, root)).toEqual({ uploads: [twice[0]], problems: [] })
  })

  it('keeps the first of two different files, and reports it', async () => {
    const { uploads, problems } = await onePerUrl([artifact('a.js'), artifact('b.js', 'b.js.map', '/a.js')], root)
    expect(uploads.map(({ parts }) => parts[1]?.path)).toEqual([inDist('a.js')])
    expect(problems).toMatchObject([{ code: 'address-taken', file: join('dist', 'b.js') }])
  })
})
