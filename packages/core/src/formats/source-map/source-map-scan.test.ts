import { describe, expect, it } from 'vitest'
import { SourceMapScan } from './source-map-scan.ts'

const map = (fields: object) => JSON.stringify({ version: 3, sources: ['a.ts'], names: [], ...fields })

/** Whether a map is usable must not depend on how its bytes are split. */
function verdictOf(text: string): string {
  const answers = new Set<string>()
  for (const size of [1, 2, 7, 64, 100_000]) {
    const scan = new SourceMapScan()
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) scan.push(bytes.subarray(at, at + size))
    answers.add(scan.verdict())
  }
  expect(answers.size).toBe(1)
  return [...answers].join()
}

describe('a source map that arrives as a stream', () => {
  it.each([
    ['usable', map({ mappings: 'AAAA,CAAC' })],
    ['usable', map({ mappings: 'AAAA;AACA' })],
    ['usable', `${map({ mappings: ';;AAAA;AACA' })}\n`],
    ['usable', `\uFEFF)]}'\n${map({ mappings: 'AAAA,CAAC' })}`],
    ['usable', map({ names: ['mappings', ':'], mappings: 'AAAA,CAAC' })],
    ['usable', map({ sourcesContent: ['x = {"mappings": ";;"}'], mappings: 'AAAA,CAAC' })],
    ['usable', '{\n  "version": 3,\n  "mappings" : "AAAA,CAAC"\n}\n'],
    ['usable', map({ sections: [{ map: { mappings: 'AAAA' } }, { map: { mappings: 'AAAA' } }] })],
    ['one-segment', map({ mappings: 'AAAA' })],
    ['one-segment', map({ mappings: ';;;AAAA;;' })],
    ['no-mappings', map({ mappings: '' })],
    ['no-mappings', map({ mappings: ';;;;' })],
    ['no-mappings', map({})],
    ['no-mappings', map({ mappings: ['AAAA,CAAC'] })],
    ['no-mappings', map({ mappings: { a: 'AAAA,CAAC' } })],
    ['no-mappings', map({ sourcesContent: ['{"mappings": "AAAA,CAAC"}'], mappings: ';' })],
    ['no-mappings', map({ names: ['mappings'], mappings: ';' })],
    ['not-json', ''],
    ['not-json', '<!doctype html>'],
    ['not-json', '[]'],
    ['not-json', `)]}\n${map({ mappings: 'AAAA,CAAC' })}`],
    ['not-json', `)]${map({ mappings: 'AAAA,CAAC' })}`],
    ['not-json', `\uFEFF\uFEFF${map({ mappings: 'AAAA,CAAC' })}`],
    ['cut-short', '{"version":3,"mappings":"AAAA,CAAC'],
  ])('recognizes a source map in a stream as %s: %s', (verdict, text) => {
    expect(verdictOf(text)).toBe(verdict)
  })
})
