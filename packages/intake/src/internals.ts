import type { FastifyInstance } from 'fastify'
import type { OncallServices, Seed } from './oncall/room.ts'
import type { Store } from './symbols/room.ts'
import type { Control } from './test-routes/room.ts'

export interface Internals {
  app: FastifyInstance
  store: Store
  audit: OncallServices['audit']
  seed: Seed
  control: Control
}

const known = new WeakMap<object, Internals>()

export function setInternals(intake: object, internals: Internals): void {
  known.set(intake, internals)
}

/** @throws if the intake runs in another process or does not serve the testing room. */
export function internalsOf(intake: object): Internals {
  const internals = known.get(intake)
  if (!internals) throw new Error('The value is not an intake that runs in this process with the testing room')
  return internals
}
