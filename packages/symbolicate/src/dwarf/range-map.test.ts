import { expect, it } from 'vitest'
import { RangeMap } from './range-map.ts'

it.each([1, 2, 3, 4])('answers like a plain map, however ranges are nested: %i', (seed) => {
  const map = new RangeMap()
  /** By start, each with its end and owner. */
  const plain = new Map<number, [end: number, owner: number]>()
  const below = (address: number) => Math.max(...[...plain.keys()].filter((start) => start <= address))
  let state = seed
  const random = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
  for (let owner = 0; owner < 700; owner++) {
    // Mostly in sequence, which fills one chunk after another.
    const low = random(4) === 0 ? random(8 * owner + 1) : 8 * owner
    const high = low + 1 + random(20)
    const start = below(low)
    const [end, outer] = plain.get(start) ?? [0, 0]
    if (low < end) {
      plain.set(start, [low, outer])
      if (high < end) plain.set(high, [end, outer])
    }
    plain.set(low, [high, owner])
    map.add(low, high, owner)
  }
  expect(map.size).toBe(plain.size)
  const sorted = [...plain].sort(([a], [b]) => a - b)
  let last = -1
  const expected = Array.from({ length: 700 * 8 + 30 }, (_, address) => {
    if (sorted[last + 1]?.[0] === address) last++
    const [end = 0, owner] = sorted[last]?.[1] ?? []
    return address < end ? owner : undefined
  })
  expect(expected.map((_, address) => map.at(address))).toEqual(expected)
})
