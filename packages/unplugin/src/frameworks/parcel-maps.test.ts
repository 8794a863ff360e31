import { transform } from 'esbuild'
import { expect, it } from 'vitest'
import { movedMap } from './parcel.ts'

const FIRST = 'HASH_REF_0123456789abcdef'
const SECOND = 'HASH_REF_fedcba9876543210'
const REPLACED = [
  { by: '1a2b3c4d', length: FIRST.length },
  { by: 'deadbeef', length: SECOND.length },
]

/**
 * Each name ends its line, so that positions in the source do not depend on it. In the text with an emoji, columns are UTF-16 code units.
 */
const source = (first: string, second: string) => `load(
  'a.${first}'
)
export const smile = '🙂🙂' + pick(
  'b.${second}'
) + pick(
  'c.${first}'
)
export function fail(reason) {
  throw new RangeError(reason)
}
`

it.each([true, false])('adjusts a map to the code with the inserted names (one line: %s)', async (minifyWhitespace) => {
  const options = { sourcemap: 'external', charset: 'utf8', minifyWhitespace, sourcefile: 'a.js' } as const
  const before = await transform(source(FIRST, SECOND), options)
  const after = await transform(source('1a2b3c4d', 'deadbeef'), options)
  const code = before.code.replaceAll(FIRST, '1a2b3c4d').replaceAll(SECOND, 'deadbeef')
  expect(code).toBe(after.code)
  const mappingsOf = (map = '{}') => JSON.parse(map).mappings
  // If the script has only one line, the inserted names move positions.
  expect(mappingsOf(before.map) === mappingsOf(after.map)).toBe(!minifyWhitespace)
  const moved = movedMap(before.map, code, REPLACED)
  expect(mappingsOf(moved)).toBe(mappingsOf(after.map))
  // The next build may adjust the map again, which must change nothing.
  expect(movedMap(moved as string, code, REPLACED)).toBeUndefined()
})

it('does not change a map without such names or mappings', () => {
  expect(movedMap('{"mappings":"AAAA"}', 'a()', REPLACED)).toBeUndefined()
  expect(movedMap('{"mappings":"AAAA"}', 'a("1a2b3c4d")', [])).toBeUndefined()
  for (const broken of ['{', 'null', '[]', '1']) expect(movedMap(broken, 'a("1a2b3c4d")', REPLACED)).toBeUndefined()
  expect(movedMap('{"sections":[]}', 'a("1a2b3c4d")', REPLACED)).toBeUndefined()
})

it('keeps a position inside a name inside that name', () => {
  // Columns 0, 3 (the start of the name), 20 (inside it) and 30. The placeholder ends at 28.
  const moved = movedMap('{"mappings":"AAAA,GAAA,iBAAA,UAAA"}', 'a("1a2b3c4d",b)', [
    REPLACED[0] as (typeof REPLACED)[0],
  ])
  expect(JSON.parse(moved as string).mappings).toBe('AAAA,GAAA,AAAA,UAAA')
})
