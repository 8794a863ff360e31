import type { FastifyInstance } from 'fastify'
import type { AuditLog } from './oncall/audit/log.ts'
import type { Seed } from './oncall/seed/seed.ts'
import type { Store } from './symbols/store/store.ts'
import type { Control } from './test-routes/control.ts'

/** What of an intake only `@symup/intake/testing` works with. */
export interface Internals {
  app: FastifyInstance
  store: Store
  audit: AuditLog
  seed: Seed
  control: Control
}

const known = new WeakMap<object, Internals>()

export function setInternals(intake: object, internals: Internals): void {
  known.set(intake, internals)
}

/** @throws when it is not an intake that runs in this process. */
export function internalsOf(intake: object): Internals {
  const internals = known.get(intake)
  if (!internals) throw new Error('It is not an intake of this process')
  return internals
}
