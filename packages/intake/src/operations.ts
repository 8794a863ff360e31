import { ONCALL_FIELDS } from './oncall/fields.ts'
import { ONCALL_OPERATIONS } from './oncall/routes.ts'
import type { Operation } from './platform/operation.ts'
import { SYMBOL_FIELDS } from './symbols/fields.ts'
import { SYMBOL_OPERATIONS } from './symbols/routes.ts'

/** Every operation of the service that the intake serves. */
export const OPERATIONS: readonly Operation[] = [
  ...ONCALL_OPERATIONS.map((operation) => ({ ...operation, fields: ONCALL_FIELDS })),
  ...SYMBOL_OPERATIONS.map((operation) => ({ ...operation, fields: { ...ONCALL_FIELDS, ...SYMBOL_FIELDS } })),
]

export { TEST_OPERATIONS } from './test-routes/routes.ts'
