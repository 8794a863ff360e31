import { useIntake as useIntakeBetween } from '@symup/intake/testing'
import { afterAll, beforeAll } from 'vitest'

/** One intake for the tests of a file. It is not emptied between tests, so each test uses its own service. */
export const useIntake = () => useIntakeBetween({}, { beforeAll, beforeEach() {}, afterAll })
