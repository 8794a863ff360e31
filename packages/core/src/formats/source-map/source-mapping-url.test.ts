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
  ['a map', 'a()\n//# sourceMappingURL=a.js.map', { sourceMappingUrl: 'a.js.map' }],
  ['a map, as it was written once', 'a()\n//@ sourceMappingURL=a.js.map\n', { sourceMappingUrl: 'a.js.map' }],
  ['a map of a style sheet', 'a{}\n/*# sourceMappingURL=a.css.map */', { sourceMappingUrl: 'a.css.map' }],
  ['blanks', 'a()\n//# \t sourceMappingURL=a.js.map  \n', { sourceMappingUrl: 'a.js.map' }],
  ['two maps', '//# sourceMappingURL=a\n//# sourceMappingURL=b', { sourceMappingUrl: 'b' }],
  [
    'a map, and code behind it',
    '//# sourceMappingURL=a.js.map\nb()\n',
    { sourceMappingUrl: 'a.js.map', isAmidCode: true },
  ],
  ['a map, and comments behind it', '//# sourceMappingURL=a\n// b()\n/* c()\n */ /**/\n', { sourceMappingUrl: 'a' }],
  [
    'a map amid code, and one at the end',
    '//# sourceMappingURL=a\nb()\n//# sourceMappingURL=b',
    { sourceMappingUrl: 'b' },
  ],
  ['a text of one', 'a("//# sourceMappingURL=a.js.map")', {}],
  ['more behind it', '//# sourceMappingURL=a.js.map b', {}],
  ['an id', `a()\n//# debugId=${ID.toUpperCase()}\n`, { debugId: ID }],
  ['both', `//# debugId=${ID}\n//# sourceMappingURL=a.js.map`, { sourceMappingUrl: 'a.js.map', debugId: ID }],
  ['an id that is too short', '//# debugId=1234', {}],
  ['an inline map', `a()\n//# sourceMappingURL=${INLINE}`, { sourceMappingUrl: INLINE }],
  [
    'an inline map and an id',
    `a()\n//# sourceMappingURL=${INLINE}\n//# debugId=${ID}`,
    { sourceMappingUrl: INLINE, debugId: ID },
  ],
  ['a map whose name is not ASCII', 'a()\n//# sourceMappingURL=à入口.js.map', { sourceMappingUrl: 'à入口.js.map' }],
  [
    'a map whose name is not ASCII, which is cut amid a character',
    `${'入'.repeat(5000)}\n//# sourceMappingURL=入口.js.map\n`,
    { sourceMappingUrl: '入口.js.map' },
  ],
  ['a percent-encoded map', `a()\n//# sourceMappingURL=${ENCODED}`, { sourceMappingUrl: ENCODED }],
  ['one in a style sheet', `a{}\n/*# sourceMappingURL=${ENCODED}*/`, { sourceMappingUrl: ENCODED }],
  ['a long one', `a()\n//# sourceMappingURL=${LONG}\n`, { sourceMappingUrl: LONG }],
  ['a text of a percent-encoded one', `a('//# sourceMappingURL=${ENCODED}')`, {}],
  ['a text that begins one', `a('\\n//# sourceMappingURL=data:application/json,'+encodeURIComponent(map))`, {}],
  ['a map too far from its end', `//# sourceMappingURL=a.js.map\n${'b() \n'.repeat(3000)}`, {}],
])('the end of a file with %s', async (_, text, comments) => {
  const path = join(directory, 'a.js')
  writeFileSync(path, text)
  for (const from of [path, Buffer.from(text)])
    expect(readTrailingComments(from)).toEqual({ ...comments, bytes: Buffer.byteLength(text) })
})

it.each(['data:application/json;base64,', 'data:application/json;charset=utf-8,%7B'])(
  'finds an inline map wherever the tail that is read begins: %s',
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
])('%s holds %j', (url, text) => expect(Buffer.from(decodeDataUrl(url)).toString()).toBe(text))

it.each<[string, string]>([
  ['a.js.map', 'The address of the map is not a data URL.'],
  ['data:application/json', 'The address of the map is not a data URL.'],
  ['data:,%E0%A4%A', 'The percent-encoding in the data URL is invalid.'],
])('%s is refused: %s', (url, message) => expect(() => decodeDataUrl(url)).toThrow(new RangeError(message)))
