import { expect, it } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const caller = useCaller()

async function upload(path: string, source: string) {
  const map = { version: 3, sources: [source], sourcesContent: ['throw 1\n'], names: [], mappings: 'AAAA' }
  const event = { type: 'js_sourcemap', service: 's', version: '1', minified_url: path }
  expect((await caller.upload(event, { source_map: JSON.stringify(map) })).status).toBe(200)
}

/** The files that the frames lead to; undefined where one leads nowhere. Each stack has names of its own, so that no answer to another serves. */
async function files(...paths: string[]) {
  const stack = paths.map((path) => `    at f${asked++} (https://h${path}:1:1)`).join('\n')
  const { data } = await caller.post('/sourcemap/stack/enrich', { service: 's', version: '1', stack })
  return data.frames.map(({ converted, file }: { converted: boolean; file: string }) => (converted ? file : undefined))
}
let asked = 0

it('an upload counts at once for stacks of frames that were in others', async () => {
  await upload('/a.js', 'a.ts')
  expect(await files('/a.js', '/b.js')).toEqual(['a.ts', undefined])
  expect(await files('/a.js')).toEqual(['a.ts'])
  await upload('/b.js', 'b.ts')
  expect(await files('/a.js', '/b.js')).toEqual(['a.ts', 'b.ts'])
  expect(await files('/b.js', '/a.js', '/b.js')).toEqual(['b.ts', 'a.ts', 'b.ts'])
  // The same path again, with another map.
  await upload('/a.js', 'new.ts')
  expect(await files('/b.js', '/a.js')).toEqual(['b.ts', 'new.ts'])
})
