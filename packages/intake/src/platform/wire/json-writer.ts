import type { Static, TSchema } from 'typebox'

const writers = new WeakMap<TSchema, (data: never) => string>()

/** Writes data as JSON by its schema. Compiled on first use, once per process, because it would take a fifth of an intake's start. */
export async function jsonWriterOf<D extends TSchema>(schema: D): Promise<(data: Static<D>) => string> {
  const known = writers.get(schema)
  if (known) return known as (data: Static<D>) => string
  const { default: fastJson } = await import('fast-json-stringify')
  const made = fastJson(schema as TSchema as Parameters<typeof fastJson>[0])
  writers.set(schema, made)
  return made
}
