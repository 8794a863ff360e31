import { ONCALL_OPERATIONS } from './oncall/routes.ts'
import type { Operation } from './platform/operation.ts'
import { SYMBOL_OPERATIONS } from './symbols/routes.ts'

/** Every operation of the service that the intake serves. */
export const OPERATIONS: readonly Operation[] = [...ONCALL_OPERATIONS, ...SYMBOL_OPERATIONS]

export { TEST_OPERATIONS } from './test-routes/routes.ts'
