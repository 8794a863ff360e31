import { allAtOnce, type Steps } from '@symup/core/resolving'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interleave, intersect, joinNeighbours, type Span, subtract } from './spans.ts'

/** In order, and apart. */
const spans = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 4 })), { maxLength: 12 })
  .map((list) => {
    let at = 0
    return list.map(([gap, length]): Span => {
      const start = at + gap
      at = start + length
      return { start, end: at }
    })
  })
const secondsOf = (list: readonly Span[]) =>
  list.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, nth) => start + nth))

describe('second by second', () => {
  it.each<[string, typeof intersect, (inOther: boolean) => boolean]>([
    ['intersect keeps what is in a window', intersect, (isIn) => isIn],
    ['subtract keeps what is in none', subtract, (isIn) => !isIn],
  ])('%s', (_, of, isKept) => {
    fc.assert(
      fc.property(spans, spans, (some, others) => {
        const inOthers = new Set(secondsOf(others))
        expect(secondsOf(allAtOnce(of(some, others)))).toEqual(secondsOf(some).filter((it) => isKept(inOthers.has(it))))
      }),
    )
  })

  it('interleave puts both in order', () => {
    fc.assert(
      fc.property(spans, spans, (some, others) => {
        const starts = allAtOnce(interleave(some, others)).map(({ start }) => start)
        expect(starts).toEqual([...some, ...others].map(({ start }) => start).sort((a, b) => a - b))
      }),
    )
  })
})

describe('many spans are looked at in pieces', () => {
  let looks = 0
  const counted = (count: number, length: number) =>
    Array.from({ length: count }, (_, nth) => ({
      get start() {
        looks++
        return nth * length
      },
      end: (nth + 1) * length,
    }))
  const COUNT = 3000

  it.each<[string, () => Steps<unknown>]>([
    ['intersect', () => intersect(counted(COUNT, 2), counted(2 * COUNT, 1))],
    ['intersect of one span with many windows', () => intersect(counted(1, COUNT), counted(COUNT, 1))],
    ['subtract', () => subtract(counted(COUNT, 2), counted(2 * COUNT, 1))],
    ['subtract of many from one span', () => subtract(counted(1, COUNT), counted(COUNT, 1))],
    ['interleave', () => interleave(counted(COUNT, 1), counted(COUNT, 1))],
    ['joinNeighbours', () => joinNeighbours(counted(COUNT, 1), () => false)],
  ])('%s', (_, work) => {
    const steps = work()
    let most = 0
    for (let isDone = false; !isDone; ) {
      looks = 0
      isDone = steps.next().done === true
      most = Math.max(most, looks)
    }
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(2000)
  })
})
