import type { FastifyRequest } from 'fastify'
import type { Caller, Directory } from './accounts/directory.ts'
import type { Permission } from './accounts/seeded-account.ts'
import type { Localized } from './errors.ts'
import type { Schema, Static } from './wire/schema.ts'

/** `<resource>:<read or write>:<action>` */
type OperationName = `${string}:${'read' | 'write'}:${string}`

/** Services that every operation gets. Each room adds its own. */
export interface Services {
  directory: Directory
  /** Titles of all served operations, by name. */
  titles: ReadonlyMap<string, Localized>
  /** Unix milliseconds. */
  now(): number
}

/** A request as an operation receives it: authenticated, within the limits, permitted, and with a valid body. */
export type Call<S = unknown> = S &
  Services & {
    /** Address of the client. */
    ip: string
    caller: Caller
    /** Returns a signal that is aborted if the client disconnects before the answer. */
    whenGone(): AbortSignal
    language: keyof Localized
    /** Path parameters, such as `trigger_id`. */
    params: Readonly<Record<string, string>>
  }

/**
 * One operation of the service: name, permissions, schemas and code. To add one, write a file in its room and a line in
 * the room's list. Routing, checks, audit and `/openapi.json` are derived from it.
 */
export interface Operation<S = unknown, B extends Schema = Schema, D extends Schema = Schema> {
  path: `/${string}`
  name: OperationName
  title: Localized
  /** The permissions that allow a call; the caller needs one of them. Default: any valid app key is enough. */
  permissions?: readonly Permission[]
  /** Identifies the caller without an app key; undefined if access is denied. */
  authenticate?(services: S & Services, request: FastifyRequest): Promise<Caller | undefined>
  /** Whether the audit log marks it as dangerous. */
  isDangerous?: boolean
  /** Whether it may be called without a body, in which case the body defaults to `{}`. */
  isBodyOptional?: boolean
  /**
   * Body limit in bytes.
   * @default 1048576
   */
  bodyBytes?: number
  body: B
  data: D
  /** An example body that is valid with the default seed. */
  example: object
  run(call: Call<S>, body: Static<B>): Promise<Static<D>> | Static<D>
}

/** Data that is already JSON, in pieces. */
export class WrittenData {
  readonly pieces: readonly string[]

  constructor(pieces: readonly string[]) {
    this.pieces = pieces
  }
}

/** Wraps data that is already JSON, in one or more pieces. The data must match the schema. */
export function written<T>(pieces: readonly string[]): T {
  return new WrittenData(pieces) as T
}

/** Creates a function that defines a room's operations with the room's services `S`. */
export function operationsWith<S>() {
  return <B extends Schema, D extends Schema>(operation: Operation<S, B, D>): Operation<S> =>
    operation as unknown as Operation<S>
}
