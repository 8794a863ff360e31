import type { OncallServices } from '../oncall/room.ts'
import { ApiError } from '../platform/errors.ts'
import { type Operation, operationsWith } from '../platform/operation.ts'
import type { Schema, Static } from '../platform/wire/schema.ts'
import type { Store } from '../symbols/room.ts'
import type { Control } from './control.ts'

export interface TestServices extends OncallServices {
  control: Control
  store: Store
}

const define = operationsWith<TestServices>()

/** Defines an operation that only owners and admins can call. Calls are neither rate-limited nor recorded in the audit log. */
export function defineTestOperation<B extends Schema, D extends Schema>(operation: Operation<TestServices, B, D>) {
  return define<B, D>({
    ...operation,
    run(call, body: Static<B>) {
      if (!call.caller.member.isAdmin) throw new ApiError('AccessDenied')
      return operation.run(call, body)
    },
  })
}
