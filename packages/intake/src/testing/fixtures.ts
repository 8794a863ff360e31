import { openTestIntake, type TestIntake, type TestIntakeOptions } from './test-intake.ts'

/**
 * A fixture for `test.extend` in Vitest and Playwright: `test.extend({ intake: intakeFixture() })`. Each test gets its own intake, which
 * closes after the test.
 */
export function intakeFixture(options: TestIntakeOptions = {}) {
  // Both runners read the required fixtures from the first parameter's braces.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  return async ({}, use: (intake: TestIntake) => Promise<void>): Promise<void> => {
    const intake = await openTestIntake(options)
    try {
      await use(intake)
    } finally {
      await intake.close()
    }
  }
}

type Hook = (work: () => Promise<void>) => void

/** Jest and Vitest call the hooks for a file `beforeAll` and `afterAll`; Mocha and node:test call them `before` and `after`. */
export type Hooks = { beforeEach: Hook } & ({ beforeAll: Hook; afterAll: Hook } | { before: Hook; after: Hook })

/**
 * One intake serves all tests in a file and returns to its seed before each test: `const intake = useIntake()`. The intake is available
 * after the first hook has run.
 * @param hooks hooks of the test runner. Default: the global hooks of Jest and Mocha.
 * @throws TypeError if the hooks do not exist.
 */
export function useIntake(options: TestIntakeOptions = {}, hooks: Hooks = globalThis as unknown as Hooks): TestIntake {
  const { beforeAll, beforeEach, afterAll } = namedAlike(hooks)
  let intake: TestIntake | undefined
  beforeAll(async () => {
    intake = await openTestIntake(options)
  })
  beforeEach(async () => intake?.reset())
  afterAll(async () => intake?.close())
  return new Proxy({} as TestIntake, {
    get(_, name) {
      if (!intake) throw new Error('The intake starts in beforeAll, so use it only within a test.')
      return intake[name as keyof TestIntake]
    },
  })
}

function namedAlike(hooks: Hooks) {
  const {
    beforeAll,
    before = beforeAll,
    beforeEach,
    afterAll,
    after = afterAll,
  } = hooks as Partial<Record<string, Hook>>
  if (before && beforeEach && after) return { beforeAll: before, beforeEach, afterAll: after }
  throw new TypeError(
    'No global hooks found. Import the hooks of your test runner and pass them: useIntake({}, { beforeAll, beforeEach, afterAll }), or { before, beforeEach, after }',
  )
}
