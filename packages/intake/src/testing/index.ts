export type { UploadFilter } from '../test-routes/upload-filter.ts'
export { type Hooks, intakeFixture, useIntake } from './fixtures.ts'
export { type IntakeMatchers, intakeMatchers, type Place } from './matchers.ts'
export {
  type Answer,
  type AuditRecord,
  type FaultRule,
  openTestIntake,
  type Resolved,
  type ResolveOptions,
  type TestIntake,
  type TestIntakeOptions,
} from './test-intake.ts'
