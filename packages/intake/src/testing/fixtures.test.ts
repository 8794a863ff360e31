import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useIntake } from '../testing.ts'

describe('the fixture useIntake', () => {
  const intake = useIntake({ listen: false }, { before: beforeAll, beforeEach, after: afterAll })

  it('finds the hooks under the names that Mocha and node:test use', async () => {
    expect(await intake.uploads()).toEqual([])
  })

  it('reports the required hooks if the test runner has no global ones', () => {
    expect(() => useIntake()).toThrow('useIntake({}, { beforeAll, beforeEach, afterAll })')
  })
})
