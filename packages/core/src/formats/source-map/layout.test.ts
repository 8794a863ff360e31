import { describe, expect, it } from 'vitest'
import { MemoryBytes } from './bytes.ts'
import { SourceMapFlaw } from './flaw.ts'
import { JsonScanner } from './json-scanner.ts'
import { readLayout, type SourceMapLayout } from './layout.ts'
import { contentOf, layerOfSource, readSources } from './text.ts'

const describeFlaw = (flaw: unknown) => (flaw instanceof SourceMapFlaw ? `${flaw.reason}: ${flaw.message}` : flaw)
const layoutOf = (map: unknown) => readLayout(new MemoryBytes(Buffer.from(JSON.stringify(map))))
const MAP = { version: 3, sources: ['a'], names: ['n'], mappings: 'AAAAA' }
const section = (line: unknown, column: unknown, map: unknown = MAP) => ({ offset: { line, column }, map })

describe('the parts of a source map', () => {
  it('finds the parts of a map in every layer, and uses the last of two equal keys', () => {
    const text =
      '{"version":"3","sections":[{"offset":{"line":9,"line":1,"column":2},"map":{"sources":["x"],"sources":["a",null],' +
      '"sourceRoot":"/r/","sourcesContent":[null,"\\n"],"mappings":"","scopes":"SC","ignoreList":[1],"x_facebook_sources":[null,[{"a":1}]]}},' +
      '{"offset":{"line":3,"column":0},"map":{"mappings":"A","sources":["b"],"x_google_ignoreList":[0]}}]}'
    const bytes = new MemoryBytes(Buffer.from(text))
    const layout = readLayout(bytes) as SourceMapLayout
    const at = (range?: { start: number; end: number }) => range && text.slice(range.start, range.end)
    expect({ ...layout, layers: layout.layers.length }).toEqual({
      version: 3,
      layers: 2,
      sourceCount: 3,
      nameCount: 0,
    })
    const [first, second] = layout.layers
    expect([first?.line, first?.column, first?.firstSource, second?.line, second?.column, second?.firstSource]).toEqual(
      [1, 2, 0, 3, 0, 2],
    )
    expect([at(first?.mappings), at(first?.sourceRoot), at(first?.scopes), at(first?.ignoreList)]).toEqual([
      '',
      '/r/',
      'SC',
      '[1]',
    ])
    expect([first?.metadata?.at(0), at(first?.metadata?.at(1))]).toEqual([undefined, '[{"a":1}]'])
    expect([at(second?.mappings), at(second?.ignoreList), second?.scopes, second?.metadata]).toEqual([
      'A',
      '[0]',
      undefined,
      undefined,
    ])
    expect(readSources(bytes, layout)).toEqual(['/r/a', '/r/', 'b'])
    expect([0, 1, 2, 3].map((source) => layerOfSource(layout, source)?.firstSource)).toEqual([0, 0, 2, 2])
    expect([0, 1, 2].map((source) => at(contentOf(layout, source)))).toEqual([undefined, '\\n', undefined])
  })

  it('decodes source names that esbuild encoded', () => {
    const map = '{"version":3,"sources":["../app/%5Bid%5D.tsx","50%off.ts","%E9%A1%B5.ts"],"mappings":""}'
    const bytes = new MemoryBytes(Buffer.from(map))
    const layout = readLayout(bytes) as SourceMapLayout
    expect(readSources(bytes, layout)).toEqual(['../app/[id].tsx', '50%off.ts', '页.ts'])
  })

  it.each<[string, string, object]>([
    ['metadata', '"x_facebook_sources":[null],"x_facebook_sources":null', { metadata: undefined }],
    ['sources', '"sources":["a","b"],"sources":null', { firstSource: 0 }],
    ['the ignore list', '"ignoreList":[0],"ignoreList":3', { ignoreList: undefined }],
    ['the old ignore list', '"x_google_ignoreList":[0],"x_google_ignoreList":{}', { ignoreList: undefined }],
    ['scopes', '"scopes":"A","scopes":[]', { scopes: undefined }],
    ['the source root', '"sourceRoot":"A","sourceRoot":null', { sourceRoot: undefined }],
  ])('uses the last of two equal keys even if its value is empty: %s', (_, keys, expected) => {
    const layout = readLayout(new MemoryBytes(Buffer.from(`{"version":3,"mappings":"",${keys}}`))) as SourceMapLayout
    const [layer] = layout.layers
    expect({ ...layer, version: layout.version, sourceCount: layout.sourceCount }).toMatchObject({
      ...{ version: 3, sourceCount: 0 },
      ...Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    })
    for (const [key, value] of Object.entries(expected)) if (value === undefined) expect(layer).not.toHaveProperty(key)
  })

  it('ignores keys with similar names', () => {
    const text =
      '{"sections":[{"offset":{"line":0,"column":0},"map":{"version":3,"sources":["a"],"sourcesContent":["x"],"contents":1,"mappings":"A",' +
      '"x_facebook_sources":[{"line":1,"x":2}],"metadata":2,"ignored":[3],"file":"f"},"other":{"mappings":"B"},"url":1}]}'
    const { layers } = readLayout(new MemoryBytes(Buffer.from(text))) as SourceMapLayout
    const [layer] = layers
    const at = (range?: { start: number; end: number }) => range && text.slice(range.start, range.end)
    expect([at(layer?.mappings), at(layer?.contents.at(0)), at(layer?.metadata?.at(0))]).toEqual([
      ...['A', 'x', '{"line":1,"x":2}'],
    ])
    expect(layer).toMatchObject({ line: 0, column: 0 })
  })

  it('adds all enclosing offsets, but applies column offsets only to the first line', () => {
    const inner = { sections: [section(0, 5), section(1, 5)] }
    const { layers, nameCount, sourceCount } = layoutOf({ sections: [section(2, 10, inner)] }) as SourceMapLayout
    expect(layers.map(({ line, column, firstName }) => [line, column, firstName])).toEqual([
      [2, 15, 0],
      [3, 5, 1],
    ])
    expect([nameCount, sourceCount]).toEqual([2, 2])
  })

  it('returns no version if the last version is invalid', () => {
    const text = '{"version":3,"mappings":"","version":[]}'
    expect(readLayout(new MemoryBytes(Buffer.from(text)))).not.toHaveProperty('version')
  })

  it.each([
    [
      'bad-section: The offset of a section in the source map is missing or out of range.',
      '{"sections":[{"offset":{"line":1,"column":2},"offset":{"line":1},"map":{"mappings":""}}]}',
    ],
    [
      'bad-section: The offset of a section in the source map is missing or out of range.',
      '{"sections":[{"offset":{"line":1,"column":2},"offset":{"column":1},"map":{"mappings":""}}]}',
    ],
    ['not-a-map: The source map contains no mappings.', '{"mappings":"A","mappings":3}'],
    [
      'not-a-map: The source map contains no mappings.',
      '{"sections":[],"mappings":"A","sections":null,"mappings":null}',
    ],
    [
      'bad-section: A section of the source map has no map object.',
      '{"sections":[{"offset":{"line":0,"column":0},"map":{"mappings":""},"map":3}]}',
    ],
    [
      'bad-section: The offset of a section in the source map is missing or out of range.',
      '{"sections":[{"offset":{"line":0,"column":0},"offset":3,"map":{"mappings":""}}]}',
    ],
    [
      'bad-section: The offset of a section in the source map is missing or out of range.',
      '{"sections":[{"offset":{"line":0,"line":"0","column":0},"map":{"mappings":""}}]}',
    ],
    [
      'bad-section: The offset of a section in the source map is missing or out of range.',
      '{"sections":[{"offset":{"line":0,"column":0,"column":[]},"map":{"mappings":""}}]}',
    ],
  ])('uses the last of two equal keys: %s', (words, text) => {
    expect(describeFlaw(readLayout(new MemoryBytes(Buffer.from(text))))).toBe(words)
  })

  it.each<[unknown, number | undefined]>([
    [3, 3],
    ['3', 3],
    ['x', undefined],
    [null, undefined],
    [true, undefined],
  ])('returns the right version for %j', (version, expected) =>
    expect((layoutOf({ ...MAP, version }) as SourceMapLayout).version).toBe(expected),
  )
})

it('returns only the texts of the requested keys from a scanner', () => {
  for (const pieceBytes of [1, 5, 1000]) {
    const told: string[] = []
    const scanner = new JsonScanner({
      ...{ open: () => true, close: () => undefined, value: () => undefined },
      key: (name) => name === 'wanted',
      text: (piece) => void told.push(String(piece)),
    })
    const text = Buffer.from(
      '{"a":"1","wanted":"2","b":["3","4"],"c":5,"d":["6","7"],"wanted":true,"e":"8","wanted":["9"],"f":[{"wanted":"10"},"11"],"wanted":{"g":"12"}}',
    )
    for (let at = 0; at < text.length; at += pieceBytes) scanner.push(text.subarray(at, at + pieceBytes))
    scanner.end()
    expect(told.join('')).toBe('210')
  }
})
