import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useIntake } from '../testing.ts'

describe('useIntake', () => {
  const intake = useIntake({ listen: false }, { before: beforeAll, beforeEach, after: afterAll })

  it('uses the hooks under the names of Mocha and node:test', async () => {
    expect(await intake.uploads()).toEqual([])
  })

  it('reports which hooks it needs if there are no global ones', () => {
    expect(() => useIntake()).toThrow('useIntake({}, { beforeAll, beforeEach, afterAll })')
  })
})
