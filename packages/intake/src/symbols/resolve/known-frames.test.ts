import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Intake, startIntake } from '../../index.ts'

let intake: Intake
beforeEach(async () => {
  intake = await startIntake()
})
afterEach(() => intake.close())

async function upload(path: string, source: string) {
  const form = new FormData()
  form.set('event', JSON.stringify({ type: 'js_sourcemap', service: 's', version: '1', minified_url: path }))
  const map = { version: 3, sources: [source], sourcesContent: ['throw 1\n'], names: [], mappings: 'AAAA' }
  form.set('source_map', new Blob([JSON.stringify(map)]), 'source_map')
  const headers = { 'DD-API-KEY': 'dev-api-key' }
  const response = await fetch(`${intake.url}/sourcemap/upload`, { method: 'POST', headers, body: form })
  expect(response.status).toBe(200)
}

/** The files that the frames lead to; undefined where one leads nowhere. Each stack has names of its own, so that no answer to another serves. */
async function files(...paths: string[]) {
  const stack = paths.map((path) => `    at f${asked++} (https://h${path}:1:1)`).join('\n')
  const response = await fetch(`${intake.url}/sourcemap/stack/enrich?app_key=dev-app-key`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ service: 's', version: '1', stack }),
  })
  const { data } = (await response.json()) as { data: { frames: { converted: boolean; file: string }[] } }
  return data.frames.map(({ converted, file }) => (converted ? file : undefined))
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
