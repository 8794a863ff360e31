import { openTestIntake, type TestIntake, type TestIntakeOptions } from './test-intake.ts'

/**
 * A fixture for `test.extend` of Vitest and of Playwright: `test.extend({ intake: intakeFixture() })`. Each test has an intake of its own,
 * which closes after it.
 */
export function intakeFixture(options: TestIntakeOptions = {}) {
  // Both runners read from the first parameter's braces which other fixtures it needs.
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

/** The hooks of a test runner: Jest, Vitest, node:test and others have them. */
export interface Hooks {
  beforeAll: Hook
  beforeEach: Hook
  afterAll: Hook
}

/**
 * One intake for a test file, back to its seed before each test: `const intake = useIntake()`. It can be used once the first hook has run.
 * @param hooks default: the global ones, as Jest has them.
 */
export function useIntake(options: TestIntakeOptions = {}, hooks: Hooks = globalThis as unknown as Hooks): TestIntake {
  let intake: TestIntake | undefined
  hooks.beforeAll(async () => {
    intake = await openTestIntake(options)
  })
  hooks.beforeEach(async () => intake?.reset())
  hooks.afterAll(async () => intake?.close())
  return new Proxy({} as TestIntake, {
    get(_, name) {
      if (!intake) throw new Error('The intake starts in beforeAll: use it within a test')
      return intake[name as keyof TestIntake]
    },
  })
}
