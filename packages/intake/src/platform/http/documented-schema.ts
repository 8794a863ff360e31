import type { Fields } from '../operation.ts'

interface Schema {
  type?: string | readonly string[]
  pattern?: string
  enum?: readonly unknown[]
  default?: unknown
  examples?: readonly unknown[]
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  allOf?: readonly Schema[]
}

/**
 * The schema with field descriptions at any depth, and with examples for fields without children.
 * @param name of the field with this schema.
 */
export function documented(schema: Schema, fields: Fields, name = ''): object {
  const { properties, items, allOf } = schema
  const [description] = fieldOf(fields, name)
  const example = exampleOf(schema, fields, name)
  const inner = properties && Object.entries(properties).map(([key, value]) => [key, documented(value, fields, key)])
  return {
    ...(description !== undefined && { description }),
    ...schema,
    ...(example !== undefined && { examples: [example] }),
    ...(inner && { properties: Object.fromEntries(inner) }),
    // A list's items share the list's name and description.
    ...(items && { items: documentedItems(items, fields) }),
    ...(allOf && { allOf: allOf.map((part) => documented(part, fields, name)) }),
  }
}

function documentedItems(items: Schema, fields: Fields): object {
  return items.properties || items.items ? documented(items, fields) : items
}

/** @returns undefined for objects with fields and lists of them, because their parts have examples. */
function exampleOf(schema: Schema, fields: Fields, name: string): unknown {
  const { properties, items, allOf, examples } = schema
  if (examples) return examples[0]
  if (properties || allOf) return
  if (items) {
    const item = exampleOf(items, fields, name)
    return item === undefined ? undefined : [item]
  }
  const known = schema.enum?.find((value) => value !== '' && value !== null) ?? schema.default
  if (known !== undefined) return known
  const [, ...candidates] = fieldOf(fields, name)
  return candidates.find((value) => fits(value, schema)) ?? (schema.type?.includes('boolean') ? true : undefined)
}

function fits(value: unknown, { type, pattern = '' }: Schema): boolean {
  const types = type === undefined ? undefined : [type].flat()
  const own = Number.isInteger(value) ? ['integer', 'number'] : [typeof value]
  const isOfType = types === undefined || own.some((one) => types.includes(one))
  return isOfType && (typeof value !== 'string' || new RegExp(pattern).test(value))
}

function fieldOf(fields: Fields, name: string): readonly [description?: string, ...examples: unknown[]] {
  return Object.hasOwn(fields, name) ? (fields[name] ?? []) : []
}
