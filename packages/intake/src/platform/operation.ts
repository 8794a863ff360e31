import type { FastifyRequest } from 'fastify'
import type { Caller, Directory } from './accounts/directory.ts'
import type { Permission } from './accounts/permissions.ts'
import type { Localized } from './errors.ts'
import type { Schema, Static } from './wire/schema.ts'

/** `<resource>:<read or write>:<action>` */
type OperationName = `${string}:${'read' | 'write'}:${string}`

/** What every operation works with; each room adds its own. */
export interface Services {
  directory: Directory
  /** Of all operations that are served, by name. */
  titles: ReadonlyMap<string, Localized>
  /** Unix milliseconds. */
  now(): number
}

/** One request, by the time that an operation sees it: authenticated, within the limits, permitted, its body checked. */
export type Call<S = unknown> = S &
  Services & {
    /** Address of the client. */
    ip: string
    caller: Caller
    /** A signal that is aborted when the client leaves before it has its answer. */
    whenGone(): AbortSignal
    language: keyof Localized
    /** Of the path, such as `trigger_id`. */
    params: Readonly<Record<string, string>>
  }

/**
 * One operation of the service: what it is called, who may call it, what goes in and out, and what it does. A new one is a file in its
 * room and a line in the room's list; routing, checks, audit and `/openapi.json` follow from it.
 */
export interface Operation<S = unknown, B extends Schema = Schema, D extends Schema = Schema> {
  path: `/${string}`
  name: OperationName
  title: Localized
  /** A caller needs one of them. Default: any valid app key will do. */
  permissions?: readonly Permission[]
  /**
   * Who calls, where it is not an app key that says so; undefined for nobody who may.
   */
  authenticate?(services: S & Services, request: FastifyRequest): Promise<Caller | undefined>
  /** Worth a second look in the audit log. */
  isDangerous?: boolean
  /** May be called without a body, which is then `{}`. */
  isBodyOptional?: boolean
  /**
   * The limit of its body in bytes.
   * @default 1048576
   */
  bodyBytes?: number
  body: B
  data: D
  /** A body that works with the default seed. */
  example: object
  run(call: Call<S>, body: Static<B>): Promise<Static<D>> | Static<D>
}

/** Data that is JSON already, in pieces. */
export class WrittenData {
  readonly pieces: readonly string[]

  constructor(pieces: readonly string[]) {
    this.pieces = pieces
  }
}

/** For an operation that has its data as JSON, in one piece or many; it must be what the schema says. */
export function written<T>(pieces: readonly string[]): T {
  return new WrittenData(pieces) as T
}

/** How a room defines operations that work with its services `S`. */
export function operationsWith<S>() {
  return <B extends Schema, D extends Schema>(operation: Operation<S, B, D>): Operation<S> =>
    operation as unknown as Operation<S>
}
