import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intersect, type Span, subtract } from './spans.ts'

/** Sorted spans with gaps between them. */
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

describe('time spans, checked second by second', () => {
  it.each<[string, typeof intersect, (inOther: boolean) => boolean]>([
    ['intersect keeps times inside a window', intersect, (isIn) => isIn],
    ['subtract keeps times outside every window', subtract, (isIn) => !isIn],
  ])('%s', (_, of, isKept) => {
    fc.assert(
      fc.property(spans, spans, (some, others) => {
        const inOthers = new Set(secondsOf(others))
        expect(secondsOf(of(some, others))).toEqual(secondsOf(some).filter((it) => isKept(inOthers.has(it))))
      }),
    )
  })
})
