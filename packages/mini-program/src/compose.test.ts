import { expect, it } from 'vitest'
import { mapWith as map, sourcesOf } from './compose.fixture.ts'
import { compose } from './compose.ts'

const farSection = JSON.stringify({
  version: 3,
  sections: [{ offset: { line: 4_000_000_000, column: 0 }, map: JSON.parse(map({})) }],
})

it.each([
  ['the host', farSection, map({ sources: ['a.ts'] })],
  ['the framework', map({}), farSection],
])('leaves a map unchanged if the map of %s declares billions of lines', async (_, host, framework) => {
  const composed = compose(sourcesOf({ 'app.js.map': host }), sourcesOf({ 'a.js.map': framework }))
  const read = composed.maps[0]?.content as () => AsyncIterable<Buffer>
  for await (const bytes of read()) expect(bytes.equals(Buffer.from(host))).toBe(true)
  expect(composed.found.composed).toBe(0)
})

it('reads a framework’s map once, regardless of how many sources refer to it', async () => {
  let reads = 0
  const sources = Array.from({ length: 100 }, (_, nth) => `a.js?${nth}`)
  const framework = sourcesOf({ 'a.js.map': map({ sources: ['a.ts'] }) }, { onRead: () => reads++ })
  const composed = compose(sourcesOf({ 'app.js.map': map({ sources }) }), framework)
  const read = composed.maps[0]?.content as () => AsyncIterable<Buffer>
  let text = ''
  for await (const bytes of read()) text += bytes
  expect(JSON.parse(text)).toMatchObject({ sources: ['a.ts'] })
  expect(reads).toBe(1)
})
