import { useIntake as useIntakeBetween } from '@symup/intake/testing'
import { afterAll, beforeAll } from 'vitest'

/** One intake for the tests of a file. It is not emptied between them: each has a service of its own. */
export const useIntake = () => useIntakeBetween({}, { beforeAll, beforeEach() {}, afterAll })
