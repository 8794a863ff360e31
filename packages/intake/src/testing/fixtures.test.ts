import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useIntake } from '../testing.ts'

describe('useIntake', () => {
  const intake = useIntake({ listen: false }, { before: beforeAll, beforeEach, after: afterAll })

  it('takes the hooks by the names that Mocha and node:test give them', async () => {
    expect(await intake.uploads()).toEqual([])
  })

  it('says which hooks it needs where there are no global ones', () => {
    expect(() => useIntake()).toThrow('useIntake({}, { beforeAll, beforeEach, afterAll })')
  })
})
