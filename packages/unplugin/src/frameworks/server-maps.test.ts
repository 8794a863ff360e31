import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeIn } from '../../../../test/support/directory.ts'
import { composeServerMaps } from './output-below.ts'

it("composes the adapter's maps with Vite's, and does not change unreadable maps", async () => {
  const project = mkdtempSync(join(tmpdir(), 'symup-kit-'))
  const write = (file: string, content: string) => writeIn(project, file, content)
  const map = (source: string, mappings: string) =>
    JSON.stringify({ version: 3, sources: [source], sourcesContent: ['pay()'], names: [], mappings })
  // Line 1 in the adapter's file is line 2 in Vite's, which is line 3 in the source.
  write('build/server/chunks/a.js.map', map('../../../.svelte-kit/output/server/entries/a.js', 'AACA'))
  write('.svelte-kit/output/server/entries/a.js.map', map('../../../../src/a.ts', ';AAEA'))
  // A source stays a source even if another file in the server shows that it has its own map.
  write('build/server/chunks/_direct.js.map', map('../../../src/a.ts', 'AACA'))
  write('src/a.ts.map', map('nowhere.ts', ';;AAMA'))
  write('build/server/chunks/own.js.map', map('../../../node_modules/own.js', 'AAAA'))
  write('build/server/chunks/broken.js.map', '{"sources":1')
  write('build/server/chunks/odd.js.map', '{"sources":1}')
  // A style sheet's map is not composed.
  write('build/server/chunks/a.css.map', map('../../../.svelte-kit/output/server/entries/a.js', 'AACA'))
  const mixed = {
    ...{ version: 3, names: [], mappings: 'AACA,CCDA,CCAA,CCAA' },
    sources: ['../../../.svelte-kit/output/server/entries/a.js', null, 'virtual:x', 'own.ts'],
  }
  write('build/server/chunks/mixed.mjs.map', JSON.stringify(mixed))
  try {
    await composeServerMaps(join(project, 'build/server'))
    const read = (file: string) => readFileSync(join(project, 'build/server/chunks', file), 'utf8')
    expect(JSON.parse(read('a.js.map'))).toMatchObject({
      sources: ['../../../src/a.ts'],
      sourcesContent: ['pay()'],
      mappings: 'AAEA',
    })
    expect(JSON.parse(read('_direct.js.map'))).toMatchObject({ sources: [] })
    expect(read('own.js.map')).toBe(map('../../../node_modules/own.js', 'AAAA'))
    expect(read('broken.js.map')).toBe('{"sources":1')
    expect(read('odd.js.map')).toBe('{"sources":1}')
    expect(read('a.css.map')).toBe(map('../../../.svelte-kit/output/server/entries/a.js', 'AACA'))
    expect(JSON.parse(read('mixed.mjs.map')).sources).toEqual(['../../../src/a.ts', 'virtual:x', 'own.ts'])
    await composeServerMaps(join(project, 'nowhere'))
  } finally {
    rmSync(project, { recursive: true })
  }
})
