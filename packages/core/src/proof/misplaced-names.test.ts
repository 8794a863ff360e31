import { expect, it } from 'vitest'
import { proofOf } from './prove.fixture.ts'

const ROW = `export function Row(item) {
  const cache = memo(item)
  return show(item.owner.price)
}
`
/** A compiler checks whether the price changed, and maps this check to the line of the cache (React Compiler). */
const SCRIPT = 'function R(i){const c=memo(i);return c[0]!==i.owner.price&&1,show(i.owner.price)}'

/** The positions that do not resolve. Each mapping is from a word of the script to a word of the source. */
function failed(more: readonly [from: string, to: string][], { script = SCRIPT, row = ROW } = {}) {
  const mappings = [['const c', 'const'], ['return', 'return'], ...more, ['show', 'show'], ...PRICE] as const
  const segments = mappings.map(([from, to]) => {
    const before = row.slice(0, row.lastIndexOf(to)).split('\n')
    return [script.lastIndexOf(from), 0, before.length - 1, before.at(-1)?.length ?? 0]
  })
  segments.sort(([a = 0], [b = 0]) => a - b)
  const map = { version: 3, sources: ['src/Row.js'], sourcesContent: [row], mappings: [segments] }
  return proofOf(script, map).own.sources.get('src/Row.js')?.failed ?? []
}

const PRICE = [
  ['i.owner.price)', 'item.owner'],
  ['owner.price)', 'owner'],
  ['price)', 'price'],
] as const
const CHECK = ['c[0]', 'cache'] as const

it.each([
  ['has no mapping of its own', []],
  [
    'has the mapping of the code before it',
    [
      ['i.owner.price&', 'cache'],
      ['owner.price&', 'cache'],
      ['price&', 'cache'],
    ] as [string, string][],
  ],
])('a property that is copied to another statement does not resolve if it %s', (_, copied) => {
  expect(failed([[...CHECK], ...copied])).toEqual(['2:9', '2:9'])
})

it.each([
  ['on its line', { row: ROW.replace('\n  return', '; return') }],
  ['that the source lacks', { script: SCRIPT.replace('i.owner.price&', 'i.added.extra&') }],
  ['of the language', { script: SCRIPT.replace('i.owner.price&', 'i.slice.map&'), row: `${ROW}a.slice.map(b)\n` }],
  ['that is assigned to', { script: SCRIPT.replace('!==i.owner.price&&', ',i.price=1,') }],
])('a copied property %s is right', (_, changed) => {
  expect(failed([[...CHECK]], changed).filter((position) => position !== '2:9')).toEqual([])
  expect(failed([[...CHECK]], changed)).toHaveLength(0)
})
