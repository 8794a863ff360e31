/**
 * Local intakes for tests: fixtures for Vitest, Jest and Playwright, and matchers.
 * @module @symup/intake/testing
 */

export type { Explanation, Reason, ResolvedFrame, ResolvedPosition } from '@symup/symbolicate'
export type { UploadFilter } from './test-routes/room.ts'
export { type Hooks, intakeFixture, useIntake } from './testing/fixtures.ts'
export { type IntakeMatchers, intakeMatchers, type Place } from './testing/matchers.ts'
export {
  type Answer,
  type AuditRecord,
  type FaultRule,
  openTestIntake,
  type ResolveOptions,
  type TestIntake,
  type TestIntakeOptions,
} from './testing/test-intake.ts'
