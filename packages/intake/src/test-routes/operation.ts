import type { Static, TSchema } from 'typebox'
import { ONCALL_FIELDS, type OncallServices } from '../oncall/room.ts'
import { ApiError } from '../platform/errors.ts'
import { type Operation, operationsWith } from '../platform/operation.ts'
import type { Store } from '../symbols/room.ts'
import type { Control } from './control.ts'
import { TEST_FIELDS } from './fields.ts'

/** Services of the test routes. */
export interface TestServices extends OncallServices {
  control: Control
  store: Store
}

const define = operationsWith<TestServices>()
const fields = { ...ONCALL_FIELDS, ...TEST_FIELDS }

/** An operation for tests: for owners and admins. It is neither limited nor in the audit log. */
export function defineTestOperation<B extends TSchema, D extends TSchema>(operation: Operation<TestServices, B, D>) {
  return define<B, D>({
    ...operation,
    fields,
    run(call, body: Static<B>) {
      if (!call.caller.member.isAdmin) throw new ApiError('AccessDenied')
      return operation.run(call, body)
    },
  })
}
