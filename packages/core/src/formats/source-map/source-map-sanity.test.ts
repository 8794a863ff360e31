import { expect, it } from 'vitest'
import { sourceMapFlaw } from './source-map-sanity.ts'

it.each([
  ['{"version":3}', undefined],
  ['<!doctype html>', 'is an HTML or XML page, not a source map'],
  ['\x28\xb5\x2f\xfd\x04', 'is compressed with Zstandard, not JSON'],
  ['hello', 'is not JSON'],
  ['{"version":', 'is truncated: its JSON is incomplete'],
])('%j %s', (text, flaw) => {
  const bytes = Buffer.from(text, 'latin1')
  expect(sourceMapFlaw(bytes, bytes)).toBe(flaw)
})
