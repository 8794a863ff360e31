import type { FastifyRequest } from 'fastify'
import type { Caller, Directory } from './accounts/directory.ts'
import type { Permission } from './accounts/seeded-account.ts'
import type { Localized } from './errors.ts'
import type { Schema, Static } from './wire/schema.ts'

/** Format: `<resource>:<read or write>:<action>`. */
type OperationName = `${string}:${'read' | 'write'}:${string}`

/** Services that operations can use. Rooms add their own services. */
export interface Services {
  directory: Directory
  titles: ReadonlyMap<string, Localized>
  /** Returns the Unix time in milliseconds. */
  now(): number
}

/** A request that passed authentication, the rate limits, the permission check and the validation. */
export type Call<S = unknown> = S &
  Services & {
    ip: string
    caller: Caller
    whenGone(): AbortSignal
    language: keyof Localized
    params: Readonly<Record<string, string>>
  }

/**
 * Defines an operation of the service. To add an operation, create a file in its room and add a line to the room's list. Routes,
 * validation, audit records and `/openapi.json` are derived from the definition.
 */
export interface Operation<S = unknown, B extends Schema = Schema, D extends Schema = Schema> {
  path: `/${string}`
  name: OperationName
  title: Localized
  /** The caller needs at least one of these permissions. By default, every valid app key is accepted. */
  permissions?: readonly Permission[]
  /** Identifies callers that have no app key. Returns undefined if the caller has no access. */
  authenticate?(services: S & Services, request: FastifyRequest): Promise<Caller | undefined>
  isDangerous?: boolean
  /** Whether callers can omit the body. The default body is `{}`. */
  isBodyOptional?: boolean
  /**
   * Maximum size of the body in bytes.
   * @default 1048576
   */
  bodyBytes?: number
  body: B
  /** If omitted, the data in the response is an empty object. */
  data?: D
  /** Example body that is valid with the default seed. */
  example: object
  run(call: Call<S>, body: Static<B>): Promise<Static<D>> | Static<D>
}

export function operationsWith<S>() {
  return <B extends Schema, D extends Schema>(operation: Operation<S, B, D>): Operation<S> =>
    operation as unknown as Operation<S>
}
