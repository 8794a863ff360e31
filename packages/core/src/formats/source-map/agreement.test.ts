import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomOf } from '../../../../../test/support/random.ts'
import { agreementOn } from './agreement.fixture.ts'
import { mutated } from './mutate.fixture.ts'
import { realMaps } from './real-maps.fixture.ts'

const maps = await realMaps()

describe('the source map reader', () => {
  it('agrees with JSON.parse and trace-mapping on maps from real tools', () => {
    for (const map of maps) expect(agreementOn(map, randomOf(1))).toBe('read')
  })

  it('agrees with JSON.parse and trace-mapping on 600 damaged maps; test/source-map checks many more', () => {
    const outcomes = new Map<string, number>()
    for (let seed = 0; seed < 600; seed++) {
      const random = randomOf(seed)
      const bytes = mutated(maps[seed % maps.length] as Buffer, random)
      const outcome = agreementOn(bytes, random)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    // The damaged maps must cover every kind of damage. Otherwise, the test proves little.
    for (const outcome of ['read', 'not-json', 'not-a-map', 'bad-entry', 'bad-section', 'bad-mappings'])
      expect([outcome, outcomes.get(outcome) ?? 0]).not.toEqual([outcome, 0])
  })

  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant(null))
  const odd = fc.oneof({ weight: 20, arbitrary: text }, fc.jsonValue())
  const lists = fc.oneof({ weight: 20, arbitrary: fc.array(odd, { maxLength: 5 }) }, fc.jsonValue())
  const digits = fc.array(
    fc.constantFrom('A', 'C', 'D', 'E', 'gB', 'AAAA', 'CAAC', 'ECCD', 'AACAA', ',', ';', ',', ';', 'g'),
    { maxLength: 40 },
  )
  const offset = fc.oneof({ weight: 20, arbitrary: fc.record({ line: fc.nat(4), column: fc.nat(20) }) }, fc.jsonValue())
  const { map } = fc.letrec<{ map: unknown }>((tie) => ({
    map: fc.record(
      {
        version: fc.oneof(fc.constant(3), fc.jsonValue()),
        sources: lists,
        sourcesContent: lists,
        names: lists,
        mappings: fc.oneof({ weight: 30, arbitrary: digits.map((it) => it.join('')) }, fc.jsonValue()),
        sourceRoot: text,
        sections: fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          fc.constant(undefined),
          fc.array(fc.record({ offset, map: tie('map') }), { maxLength: 3 }),
        ),
        x_other: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  }))

  it('agrees with JSON.parse and trace-mapping on any map', () => {
    fc.assert(
      fc.property(map, fc.nat(), fc.constantFrom(undefined, 1), (value, seed, indent) => {
        agreementOn(Buffer.from(JSON.stringify(value, undefined, indent)), randomOf(seed))
      }),
      { numRuns: 500 },
    )
  })

  it('agrees with JSON.parse on any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.nat(), (json, seed) => {
        agreementOn(Buffer.from(json), randomOf(seed))
        agreementOn(mutated(Buffer.from(json), randomOf(seed)), randomOf(seed))
      }),
      { numRuns: 500 },
    )
  })
})
