import { ONCALL_FIELDS } from './oncall/fields.ts'
import { FURTHER_FIELDS } from './oncall/further-fields.ts'
import { ONCALL_OPERATIONS } from './oncall/routes.ts'
import type { Operation } from './platform/operation.ts'
import { SYMBOL_FIELDS } from './symbols/fields.ts'
import { SYMBOL_OPERATIONS } from './symbols/routes.ts'

const ONCALL = { ...ONCALL_FIELDS, ...FURTHER_FIELDS }

/** Every operation of the service that the intake serves. */
export const OPERATIONS: readonly Operation[] = [
  ...ONCALL_OPERATIONS.map((operation) => ({ ...operation, fields: ONCALL })),
  ...SYMBOL_OPERATIONS.map((operation) => ({ ...operation, fields: { ...ONCALL, ...SYMBOL_FIELDS } })),
]

export { TEST_OPERATIONS } from './test-routes/routes.ts'
