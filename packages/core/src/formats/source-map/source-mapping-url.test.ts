import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useDirectory } from '../../../../../test/support/directory.ts'
import { decodeDataUrl, readTrailingComments, type TrailingComments } from './source-mapping-url.ts'

const directory = useDirectory()

const ID = '11111111-2222-5333-8444-555555555555'
const ENCODED = `data:application/json;charset=utf-8,${encodeURIComponent(`{"sources":["a.js"],"sourcesContent":["it's(!)*~"]}\n`)}`
const LONG = `data:application/json,${encodeURIComponent(`{"sourcesContent":["${"it's(!)*~ ".repeat(2000)}"]}`)}`
const INLINE = `data:application/json;base64,${'QUJD'.repeat(5000)}`

it.each<[string, string, Partial<TrailingComments>]>([
  ['none', 'a()\n', {}],
  ['a map comment', 'a()\n//# sourceMappingURL=a.js.map', { sourceMappingUrl: 'a.js.map' }],
  ['a map comment in the older syntax', 'a()\n//@ sourceMappingURL=a.js.map\n', { sourceMappingUrl: 'a.js.map' }],
  ['a map comment in a style sheet', 'a{}\n/*# sourceMappingURL=a.css.map */', { sourceMappingUrl: 'a.css.map' }],
  ['blanks', 'a()\n//# \t sourceMappingURL=a.js.map  \n', { sourceMappingUrl: 'a.js.map' }],
  ['two map comments', '//# sourceMappingURL=a\n//# sourceMappingURL=b', { sourceMappingUrl: 'b' }],
  [
    'a map comment followed by code',
    '//# sourceMappingURL=a.js.map\nb()\n',
    { sourceMappingUrl: 'a.js.map', isAmidCode: true },
  ],
  [
    'a map comment followed by other comments',
    '//# sourceMappingURL=a\n// b()\n/* c()\n */ /**/\n',
    { sourceMappingUrl: 'a' },
  ],
  [
    'a map comment within the code and another at the end',
    '//# sourceMappingURL=a\nb()\n//# sourceMappingURL=b',
    { sourceMappingUrl: 'b' },
  ],
  ['a map comment inside a string', 'a("//# sourceMappingURL=a.js.map")', {}],
  ['text after the map comment', '//# sourceMappingURL=a.js.map b', {}],
  ['a debug id', `a()\n//# debugId=${ID.toUpperCase()}\n`, { debugId: ID }],
  ['both', `//# debugId=${ID}\n//# sourceMappingURL=a.js.map`, { sourceMappingUrl: 'a.js.map', debugId: ID }],
  ['a debug id that is too short', '//# debugId=1234', {}],
  ['an inline map', `a()\n//# sourceMappingURL=${INLINE}`, { sourceMappingUrl: INLINE }],
  [
    'an inline map and a debug id',
    `a()\n//# sourceMappingURL=${INLINE}\n//# debugId=${ID}`,
    { sourceMappingUrl: INLINE, debugId: ID },
  ],
  ['a map name outside ASCII', 'a()\n//# sourceMappingURL=à入口.js.map', { sourceMappingUrl: 'à入口.js.map' }],
  [
    'a map name outside ASCII, with the tail starting within a character',
    `${'入'.repeat(5000)}\n//# sourceMappingURL=入口.js.map\n`,
    { sourceMappingUrl: '入口.js.map' },
  ],
  ['a percent-encoded map', `a()\n//# sourceMappingURL=${ENCODED}`, { sourceMappingUrl: ENCODED }],
  ['an inline map in a style sheet', `a{}\n/*# sourceMappingURL=${ENCODED}*/`, { sourceMappingUrl: ENCODED }],
  ['a long inline map', `a()\n//# sourceMappingURL=${LONG}\n`, { sourceMappingUrl: LONG }],
  ['a string that contains a percent-encoded map', `a('//# sourceMappingURL=${ENCODED}')`, {}],
  [
    'a string that contains the start of an inline map',
    `a('\\n//# sourceMappingURL=data:application/json,'+encodeURIComponent(map))`,
    {},
  ],
  ['a map comment too far from the end', `//# sourceMappingURL=a.js.map\n${'b() \n'.repeat(3000)}`, {}],
])('reads the trailing comments of a file with %s', async (_, text, comments) => {
  const path = join(directory, 'a.js')
  writeFileSync(path, text)
  for (const from of [path, Buffer.from(text)])
    expect(readTrailingComments(from)).toEqual({ ...comments, bytes: Buffer.byteLength(text) })
})

it.each(['data:application/json;base64,', 'data:application/json;charset=utf-8,%7B'])(
  'finds an inline map wherever the tail begins: %s',
  (beginning) => {
    const code = 'a(b, c);'.repeat(2000)
    const lengths = Array.from({ length: 120 }, (_, nth) => 8 * 1024 - 100 + nth)
    const missed = lengths.filter((length) => {
      const url = `${beginning}${'A'.repeat(length - beginning.length - 3)}%7D`
      const { sourceMappingUrl } = readTrailingComments(Buffer.from(`${code}\n//# \t sourceMappingURL=${url}\n`))
      return sourceMappingUrl !== url
    })
    expect(missed).toEqual([])
  },
)

it.each([
  ['blanks', `//# sourceMappingURL=a${'\t'.repeat(900_000)}x\n`],
  ['comments', `${'//# sourceMappingURL=a'.repeat(40_000)}'\n`],
])('does not read to the end of the line for each of %s before a possible inline map', (_, before) => {
  const text = `${before}${'QUJD'.repeat(5000)}`
  expect(readTrailingComments(Buffer.from(text))).toEqual({ bytes: text.length })
})

it.each<[string, string]>([
  ['data:application/json;base64,e30=', '{}'],
  ['data:;charset=utf-8;BASE64,e30%3D', '{}'],
  ['data:application/json,%7B%22a%22%3A1%7D', '{"a":1}'],
  ['data:,', ''],
])('decodes %s to %j', (url, text) => expect(Buffer.from(decodeDataUrl(url)).toString()).toBe(text))

it.each<[string, string]>([
  ['a.js.map', 'The URL of the source map is not a data URL.'],
  ['data:application/json', 'The URL of the source map is not a data URL.'],
  ['data:,%E0%A4%A', 'The percent-encoding in the data URL is invalid.'],
  ['data:;base64,%zz', 'The percent-encoding in the data URL is invalid.'],
])('refuses %s: %s', (url, message) => expect(() => decodeDataUrl(url)).toThrow(new RangeError(message)))
