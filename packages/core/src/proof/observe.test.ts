import { describe, expect, it } from 'vitest'
import { mapFileOf } from './map-file.fixture.ts'
import { observe } from './observe.ts'
import type { Sample } from './samples.ts'

const sampleAt = (column: number, word: string | undefined = 'total'): Sample => ({
  kind: 'call',
  line: 0,
  column,
  ...(word && { word }),
})

/** The result for a sample three characters after a mapping to the mark in a text. */
function findingOf(marked: string, word = 'total') {
  const [before = ''] = marked.split('|')
  const line = before.split('\n').length - 1
  const column = before.length - (before.lastIndexOf('\n') + 1)
  const map = mapFileOf([marked.replace('|', '')], [[[2, 0, line, column]]])
  const [observation] = observe(map, [sampleAt(5, word)])
  expect(observation).toMatchObject({ distance: 3, source: 0 })
  return [observation?.finding, observation?.isExact]
}

describe('a sample', () => {
  const far = (bytes: number) => 'x'.repeat(bytes)
  it.each<[string, string, boolean]>([
    ['a.|total()', 'same', true],
    ['a|.total()', 'same', false],
    ['total|()', 'same', false],
    [`${far(9)}total${far(35)}|`, 'same', false],
    [`${far(9)}total${far(36)}|`, 'different', false],
    ['|a\ntotal()', 'later', false],
    ['|\ntotal()', 'later', false],
    [`|${far(3990)}\ntotal()`, 'later', false],
    [`|${far(3995)}\ntotal()`, 'different', false],
    [`|${far(3995)}total()`, 'same', false],
    ['|other()', 'different', false],
  ])('%j: %s', (marked, finding, isExact) => {
    expect(findingOf(marked)).toEqual([finding, isExact])
  })

  it('is absent if an escape before the word changes it', () => {
    expect(findingOf('|a\notal()', 'notal')).toEqual(['different', false])
    expect(findingOf('|a\notal(); b.notal()', 'notal')).toEqual(['later', false])
  })

  it('without a word is present if its line exists', () => {
    expect(findingOf('a\n|b', '')).toEqual(['same', false])
  })

  it('points nowhere, or to something that cannot be compared', () => {
    const own = `a.total()\n//# sourceMappingURL=data:application/json;base64,${'ab+/'.repeat(12)}`
    const mappings = [[[10, 0, 0, 2], [20], [30, 1, 0, 0], [40, 2, 0, 2], [50, 0, 9, 0], [60, 3, 0, 0]]]
    const map = mapFileOf(['a.total()', null, own, 'total'], mappings)
    const found = observe(
      map,
      [5, 12, 22, 33, 44, 55, 66].map((column) => sampleAt(column)),
    )
    expect(found.map(({ finding, isExact, distance, source }) => [finding, isExact, distance, source])).toEqual([
      ['unmapped', false, 0, -1],
      ['same', true, 2, 0],
      ['unmapped', false, 0, -1],
      ['without-content', false, 3, 1],
      ['not-comparable', false, 4, 2],
      ['outside', false, 5, 0],
      ['same', true, 6, 3],
    ])
  })

  it('is found in sources that are visited in any order', () => {
    const map = mapFileOf(
      ['a\nb.total()\nc.total()', 'd.total()'],
      [
        [
          [0, 0, 2, 2],
          [10, 1, 0, 2],
          [20, 0, 1, 2],
          [30, 0, 5, 0],
        ],
      ],
    )
    const found = observe(
      map,
      [0, 10, 20, 30].map((column) => sampleAt(column)),
    )
    expect(found.map(({ finding, isExact }) => [finding, isExact])).toEqual([
      ['same', true],
      ['same', true],
      ['same', true],
      ['outside', false],
    ])
  })

  it('is also given to the mapping observer until it has seen enough', () => {
    const mappings = [Array.from({ length: 3000 }, (_, at) => [2 * at, 0, 0, 0])]
    const counts = (enough: boolean | undefined) => {
      let count = 0
      observe(mapFileOf(['total'], mappings), [sampleAt(5990)], {
        also: (_, more) => {
          count += more
          return enough
        },
      })
      return count
    }
    expect([counts(true), counts(undefined)]).toEqual([3000, 3000])
    expect(counts(false)).toBeLessThan(3000)
  })
})
