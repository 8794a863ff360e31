import { expect, it } from 'vitest'
import { sourceMapFlaw } from './source-map-sanity.ts'

it.each([
  ['{"version":3}', undefined],
  ['<!doctype html>', 'The content is an HTML or XML page, not a source map.'],
  ['\x28\xb5\x2f\xfd\x04', 'The content is compressed with Zstandard.'],
  ['hello', 'The content is not valid JSON.'],
  ['{"version":', 'The content is truncated, so its JSON is incomplete.'],
])('finds for %j: %s', (text, flaw) => {
  const bytes = Buffer.from(text, 'latin1')
  expect(sourceMapFlaw(bytes, bytes)).toBe(flaw)
})
