import { expect, it } from 'vitest'
import { agreementOn } from '../../packages/core/src/formats/source-map/agreement.fixture.ts'
import { mutated } from '../../packages/core/src/formats/source-map/mutate.fixture.ts'
import { realMaps } from '../../packages/core/src/formats/source-map/real-maps.fixture.ts'
import { randomOf } from '../support/random.ts'

const MUTATIONS = 10_000
const maps = await realMaps()

it.each(maps.map((map, index) => ({ map, index })))(
  'agrees with JSON.parse and trace-mapping on a damaged map: $index',
  ({ map, index }) => {
    let read = 0
    for (let seed = index; seed < MUTATIONS; seed += maps.length) {
      const random = randomOf(seed + 1_000_000)
      const bytes = mutated(map, random)
      try {
        if (agreementOn(bytes, random) === 'read') read++
      } catch (error) {
        throw new Error(`Seed ${seed}: ${(error as Error).message}`)
      }
    }
    // Both outcomes must occur: maps that can still be read, and rejected maps.
    expect(read).toBeGreaterThan(MUTATIONS / maps.length / 10)
    expect(read).toBeLessThan((MUTATIONS / maps.length) * 0.9)
  },
  600_000,
)
