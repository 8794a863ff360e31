import { expect, it } from 'vitest'
import { RangeMap } from './range-map.ts'

it('tells the innermost of nested ranges, in whichever order neighbours come', () => {
  const map = new RangeMap()
  map.add(100, 200, 1)
  map.add(300, 400, 2)
  map.add(120, 160, 3)
  map.add(130, 140, 4)
  map.add(150, 160, 5)
  const at = [99, 100, 119, 120, 130, 139, 140, 150, 159, 160, 199, 200, 300, 399, 400].map((it) => map.at(it))
  expect(at).toEqual([undefined, 1, 1, 3, 4, 4, 3, 5, 5, 1, 1, undefined, 2, 2, undefined])
})

it('holds many, in any order', () => {
  const map = new RangeMap()
  const count = 5000
  for (let index = 0; index < count; index++) {
    const low = ((index * 2657) % count) * 10
    map.add(low, low + 8, index)
    map.add(low + 2, low + 4, index + count)
  }
  for (let index = 0; index < count; index++) {
    const low = ((index * 2657) % count) * 10
    expect([0, 2, 4, 8].map((offset) => map.at(low + offset))).toEqual([index, index + count, index, undefined])
  }
})
