import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomOf } from '../../../../../../test/support/random.ts'
import { mutated } from '../../../../../core/src/formats/source-map/mutate.fixture.ts'
import { realMaps } from '../../../../../core/src/formats/source-map/real-maps.fixture.ts'
import { agreement } from './agreement.fixture.ts'

const maps = await realMaps()

describe('look-ups through the index', () => {
  it('agrees with trace-mapping in maps written by tools', () => {
    for (const map of maps) for (let seed = 0; seed < 5; seed++) expect(agreement(map, randomOf(seed))).toBe(true)
  })

  it('agrees with trace-mapping in damaged maps', () => {
    let readable = 0
    for (let seed = 0; seed < 300; seed++) {
      const random = randomOf(seed)
      if (agreement(mutated(maps[seed % maps.length] as Buffer, random), random)) readable++
    }
    // If no map were readable, the comparison would prove nothing.
    expect(readable).toBeGreaterThan(50)
  })

  const digits = fc.array(
    fc.constantFrom('A', 'C', 'D', 'E', 'gB', 'AAAA', 'CAAC', 'ECCD', 'AACAA', 'GAAAA', ',', ';', ',', ';'),
    { maxLength: 60 },
  )
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
  const layer = fc.record(
    {
      version: fc.constant(3),
      sources: fc.array(fc.oneof(text, fc.constant(null)), { minLength: 1, maxLength: 4 }),
      sourcesContent: fc.array(fc.oneof(text, fc.constant(null)), { maxLength: 4 }),
      names: fc.array(text, { maxLength: 4 }),
      mappings: digits.map((it) =>
        it
          .join('')
          .replace(/,+(?=[,;]|$)/g, '')
          .replace(/(^|;),+/g, '$1'),
      ),
      sourceRoot: text,
    },
    { requiredKeys: ['version', 'sources', 'names', 'mappings'] },
  )
  const sections = fc.array(fc.tuple(fc.nat(3), fc.nat(20), layer), { maxLength: 4 }).map((list) => {
    let line = 0
    return list.map(([lines, column, map]) => {
      line += lines + 1
      return { offset: { line, column }, map }
    })
  })

  it('agrees with trace-mapping in any map, with blocks of any size', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          layer,
          sections.map((list) => ({ version: 3, sections: list })),
        ),
        fc.nat(),
        (map, seed) => {
          agreement(Buffer.from(JSON.stringify(map)), randomOf(seed))
        },
      ),
      { numRuns: 100 },
    )
  })
})
