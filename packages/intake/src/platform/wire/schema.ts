import type { Int64 } from './int64.ts'

declare const VALUE: unique symbol
/** Marks an optional property. The marker is a symbol because JSON Schema and code that reads schemas ignore symbol keys. */
const MAY_LACK = Symbol('optional')

/** Schema that validates requests, appears in `/openapi.json` and determines the TypeScript type `T`. */
export interface Schema<T = unknown> {
  readonly [VALUE]?: T
}
export type Static<S> = S extends Schema<infer T> ? T : never

type Properties = Readonly<Record<string, Schema>>
// In types, the marker is a string key, because declarations in other modules cannot refer to a symbol in this module.
type OptionalSchema<S> = S & { readonly '~optional': true }
type OptionalNames<P> = { [K in keyof P]: P[K] extends { readonly '~optional': true } ? K : never }[keyof P]
type ValueOf<P> = { [K in Exclude<keyof P, OptionalNames<P>>]: Static<P[K]> } & {
  [K in OptionalNames<P>]?: Static<P[K]>
}
export interface ObjectSchema<P = Properties> extends Schema<{ [K in keyof ValueOf<P>]: ValueOf<P>[K] }> {
  readonly properties: P
}

interface Bounds {
  minimum?: number
  maximum?: number
  format?: 'int64'
  default?: number
}

export const Type = {
  Boolean: (): Schema<boolean> => ({ type: 'boolean' }) as Schema<boolean>,
  Integer: (bounds: Bounds = {}) => ({ type: 'integer', ...bounds }) as Schema<number>,
  String: (bounds: { minLength?: number; maxLength?: number; pattern?: string; format?: 'email' | 'timezone' } = {}) =>
    ({ type: 'string', ...bounds }) as Schema<string>,
  Array: <T>(items: Schema<T>, bounds: { minItems?: number; maxItems?: number } = {}) =>
    ({ type: 'array', items, ...bounds }) as Schema<T[]>,
  Unknown: (): Schema => ({}),
  /** For types that TypeScript cannot infer from a schema. */
  Unsafe: <T>(schema: object) => schema as Schema<T>,
  Optional: <S extends Schema>(schema: S) => ({ ...schema, [MAY_LACK]: true }) as unknown as OptionalSchema<S>,
  Object<P extends Properties>(properties: P, further: { additionalProperties?: boolean } = {}): ObjectSchema<P> {
    const required = Object.keys(properties).filter((name) => !(MAY_LACK in (properties[name] ?? {})))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...further } as ObjectSchema<P>
  },
  Extended: <A, B extends Properties>(base: ObjectSchema<A>, further: B) =>
    Type.Object({ ...(base.properties as Properties), ...further }) as unknown as ObjectSchema<Omit<A, keyof B> & B>,
}

export const Id = Type.Unsafe<Int64>({ type: 'integer', format: 'int64' })
export const UnsignedId = Type.Unsafe<Int64>({ type: 'integer', format: 'uint64' })
export const PositiveId = Type.Unsafe<Int64>({ type: 'integer', format: 'int64', minimum: 1 })
/** A time or duration that a JavaScript number can represent exactly. */
export const Instant = Type.Integer({ format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const ObjectId = Type.String({ pattern: '^[0-9a-fA-F]{24}$' })

export function OneOf<const T extends string>(values: readonly T[]) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values] })
}

/** In a request, `null` means absent. */
export function Nullable<T>(schema: Schema<T>) {
  const { type, ...rest } = schema as { type?: string; enum?: unknown[] }
  const nullable = rest.enum ? { ...rest, enum: [...rest.enum, null] } : rest
  return Type.Unsafe<T | null>({ type: [type, 'null'], ...nullable })
}

export function Optional<P extends Properties>(properties: P) {
  const entries = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])
  return Type.Object(Object.fromEntries(entries) as { [K in keyof P]: OptionalSchema<P[K]> })
}

export const Anything = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })
