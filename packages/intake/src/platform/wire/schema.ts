import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import type { Int64 } from './int64.ts'

// The schemas are TypeBox because a TypeBox schema is JSON Schema: what checks a request is, letter for letter, what /openapi.json
// serves and what TypeScript infers its types from. Zod would need a translation for the first and lose int64 in it.

export const Id = Type.Unsafe<Int64>({ type: 'integer', format: 'int64' })
export const UnsignedId = Type.Unsafe<Int64>({ type: 'integer', format: 'uint64' })
/** A 64-bit id of at least 1. */
export const PositiveId = Type.Unsafe<Int64>({ type: 'integer', format: 'int64', minimum: 1 })
/** An instant or a duration within the exact range of a double. */
export const Instant = Type.Integer({ format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** The same, where a time is counted in milliseconds beside others that are in seconds. */
export const Milliseconds = Type.Integer({ ...Instant, examples: [1767603600000] })
export const ObjectId = Type.String({ pattern: '^[0-9a-fA-F]{24}$' })

export function OneOf<const T extends string>(values: readonly T[]) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values] })
}

/** May be `null`, which in a request is as good as absent. */
export function Nullable<S extends TSchema>(schema: S) {
  const { type, ...rest } = schema as unknown as { type: string; enum?: unknown[] }
  const nullable = rest.enum ? { ...rest, enum: [...rest.enum, null] } : rest
  return Type.Unsafe<Static<S> | null>({ type: [type, 'null'], ...nullable })
}

/** All properties optional. */
export function Optional<P extends TProperties>(properties: P) {
  return Type.Partial(Type.Object(properties))
}

/** An object of any form. */
export const Anything = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })
