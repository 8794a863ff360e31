import { ONCALL_OPERATIONS, ONCALL_TEST_OPERATIONS } from './oncall/routes.ts'
import type { Operation } from './platform/operation.ts'
import { SYMBOL_OPERATIONS } from './symbols/routes.ts'

/** Every operation of the service that the intake serves. */
export const OPERATIONS: readonly Operation[] = [...ONCALL_OPERATIONS, ...SYMBOL_OPERATIONS]

/** What only tests need. */
export const TEST_OPERATIONS: readonly Operation[] = ONCALL_TEST_OPERATIONS
