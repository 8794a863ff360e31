import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Arena } from './arena.ts'

const BYTES = 1000

it('gives out ranges that never overlap, and in the end all of it again, in whatever order they come back', async () => {
  const steps = fc.array(fc.record({ length: fc.integer({ min: 1, max: BYTES }), back: fc.nat() }), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const arena = new Arena(BYTES)
      const taken: Buffer[] = []
      const order: number[] = []
      const waiting: Promise<void>[] = []
      for (const [nth, { length, back }] of all.entries()) {
        waiting.push(
          arena.take(length).then((range) => {
            expect(range).toHaveLength(length)
            range.fill(nth % 256)
            for (const other of taken) {
              const isApart =
                range.byteOffset + length <= other.byteOffset || other.byteOffset + other.length <= range.byteOffset
              expect(isApart).toBe(true)
            }
            taken.push(range)
            order.push(nth)
          }),
        )
        await Promise.resolve()
        const [range] = taken.splice(back % Math.max(1, taken.length), back % 2)
        if (range) arena.give(range)
      }
      while (order.length < all.length) {
        await Promise.resolve()
        const range = taken.pop()
        if (range) arena.give(range)
      }
      await Promise.all(waiting)
      for (const range of taken) arena.give(range)
      expect(order).toEqual(all.map((_, nth) => nth))
      expect(await arena.take(BYTES)).toHaveLength(BYTES)
    }),
    { numRuns: 300 },
  )
})

it('who finds no room waits, and so does whoever comes after', async () => {
  const arena = new Arena(BYTES)
  const first = await arena.take(600)
  const given: string[] = []
  void arena.take(500).then(() => given.push('large'))
  void arena.take(100).then(() => given.push('small'))
  await new Promise(setImmediate)
  expect(given).toEqual([])
  arena.give(first)
  await new Promise(setImmediate)
  expect(given).toEqual(['large', 'small'])
})
