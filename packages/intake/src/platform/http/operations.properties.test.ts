import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPERATIONS, TEST_OPERATIONS } from '../../rooms.ts'
import { useCaller } from '../../test-support/calling.fixture.ts'
import { stringifyJson } from '../wire/int64.ts'
import { compileSchema } from '../wire/validator.ts'

// Tests every operation with fields and values from its schema.

interface Schema {
  type?: string | string[]
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  pattern?: string
}
type Path = (string | number)[]
type Field = { path: Path; schema: Schema; isRequired: boolean }

const WIDE = { int64: [-(2n ** 63n), 2n ** 63n - 1n], uint64: [0n, 2n ** 64n - 1n] } as const

const caller = useCaller()
const operations = [...OPERATIONS, ...TEST_OPERATIONS].filter(({ authenticate }) => !authenticate)

describe.each(operations.map((operation) => [operation.path, operation] as const))(
  'the operation %s',
  (path, operation) => {
    const schema = operation.body as Schema
    const fields = fieldsOf(schema, [])
    const send = async (body: unknown) => caller.post(path, stringifyJson(body))
    const tried = async <T>(values: fc.Arbitrary<T>[], numRuns: number, look: (value: T) => Promise<void>) => {
      if (values.length > 0) await fc.assert(fc.asyncProperty(fc.oneof(...values), look), { numRuns, seed: 9 })
    }

    it('refuses a wrong field by name, never fails internally, and accepts its example', async () => {
      const wrong = fields.flatMap((field) =>
        [...wrongTypes(field.schema), ...beyond(field.schema)].map((values) => fc.tuple(fc.constant(field), values)),
      )
      await tried(wrong, 8, async ([field, value]) => {
        const answer = await send(put(sample(schema), field.path, value))
        expect([value, answer.status, answer.code]).toEqual([value, 400, 'InvalidParameter'])
        expect(answer.message).toContain(`parameter ${nameOf(field.path)} is not valid.`)
      })

      const named = fields.filter(({ path }) => typeof path.at(-1) === 'string').map((field) => fc.constant(field))
      await tried(named, 2, async ({ path, isRequired }) => {
        const absent = await send(drop(sample(schema), path))
        const nothing = await send(put(sample(schema), path, null))
        expect([nothing.code, nothing.message]).toEqual([absent.code, absent.message])
        if (isRequired) expect(absent.message).toBe(`The specified parameter ${nameOf(path)} is not valid.`)
      })

      const isAccepted = await compileSchema(operation.body)
      const right = fields.flatMap((field) => within(field.schema).map((value) => fc.constant([field, value] as const)))
      // Test routes would affect the next request, for example by changing the clock.
      await tried(TEST_OPERATIONS.includes(operation) ? [] : right, 4, async ([field, value]) => {
        const body = put(sample(schema), field.path, value)
        expect(isAccepted(body) || [value, isAccepted.errors]).toBe(true)
        const answer = await send(body)
        expect([value, answer.status]).not.toEqual([value, 500])
        // A number may be refused for its meaning: an unknown id, an end before its start, or a page that is too far.
        if (typeof value === 'string')
          expect(answer.message).not.toContain(`parameter ${nameOf(field.path)} is not valid`)
      })

      const { code } = await send(operation.example)
      // Objects that a test may delete are not in the seed. The test creates them.
      if (path.startsWith('/__test/') && path.endsWith('/delete')) expect(code).toBe('ResourceNotFound')
      else expect(code).toBeUndefined()
    })
  },
)

function fieldsOf({ properties = {}, required = [] }: Schema, at: Path): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...at, name]
    return [{ path, schema, isRequired: required.includes(name) }, ...inside(schema, path)]
  })
}

function inside(schema: Schema, path: Path): Field[] {
  if (schema.properties) return fieldsOf(schema, path)
  if (!schema.items) return []
  const item = [...path, 0]
  return [{ path: item, schema: schema.items, isRequired: false }, ...inside(schema.items, item)]
}

/** A value that the schema accepts, with every property. */
function sample(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0]
  switch (typeOf(schema)) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, value]) => [name, sample(value)]))
    case 'array':
      return schema.items ? [sample(schema.items)] : []
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return false
    default:
      return text(schema)
  }
}

function text({ pattern, format, minLength = 1 }: Schema): string {
  if (format === 'email') return 'a@example.com'
  if (format === 'timezone') return 'UTC'
  if (pattern?.includes('{24}')) return 'a'.repeat(24)
  if (pattern?.includes(':')) return '09:30'
  return 'x'.repeat(minLength)
}

function typeOf({ type }: Schema): string {
  return (Array.isArray(type) ? type[0] : type) ?? 'object'
}

function wrongTypes(schema: Schema): fc.Arbitrary<unknown>[] {
  if (schema.type === undefined) return []
  const values: Record<string, fc.Arbitrary<unknown>> = {
    object: fc.dictionary(fc.string(), fc.integer()),
    array: fc.array(fc.integer()),
    integer: fc.maxSafeInteger(),
    fraction: fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
    boolean: fc.boolean(),
    string: fc.string(),
  }
  const type = typeOf(schema)
  const right = type === 'number' ? ['integer', 'fraction'] : [type]
  const wrong = Object.entries(values).filter(([name]) => !right.includes(name))
  return [fc.oneof(...wrong.map(([, value]) => value))]
}

function beyond(schema: Schema): fc.Arbitrary<unknown>[] {
  const values = boundaries(schema, 1)
  if (schema.minItems !== undefined) values.push([])
  if (schema.enum) values.push(typeOf(schema) === 'string' ? 'none of them' : 99)
  return values.map((value) => fc.constant(value))
}

function within(schema: Schema): unknown[] {
  return [...boundaries(schema, 0), ...(schema.enum ?? []).filter((value) => value !== null)]
}

/** The extreme values that a schema accepts, or values `step` beyond them. */
function boundaries(schema: Schema, step: 0 | 1): unknown[] {
  const { minimum, maximum, minLength, maxLength, format = '' } = schema
  const values: unknown[] = []
  if (format in WIDE && maximum === undefined) {
    const [least, most] = WIDE[format as keyof typeof WIDE]
    values.push(most + BigInt(step), (minimum === undefined ? least : BigInt(minimum)) - BigInt(step))
  } else {
    if (minimum !== undefined) values.push(minimum - step)
    if (maximum !== undefined) values.push(maximum + step)
  }
  if (maxLength !== undefined) values.push('😀'.repeat(maxLength + step))
  if (minLength !== undefined && minLength > 0) values.push('x'.repeat(minLength - step))
  // Normalizes small integers, regardless of their computed type.
  return values.map((value) =>
    typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value,
  )
}

function put(root: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(root) as Record<string | number, unknown>
  parentOf(copy, path)[path.at(-1) as string] = value
  return copy
}

function drop(root: unknown, path: Path): unknown {
  const copy = structuredClone(root) as Record<string | number, unknown>
  delete parentOf(copy, path)[path.at(-1) as string]
  return copy
}

function parentOf(root: Record<string | number, unknown>, path: Path): Record<string | number, unknown> {
  return path.slice(0, -1).reduce((node, step) => node[step] as Record<string | number, unknown>, root)
}

function nameOf(path: Path): string {
  return path.map((step, nth) => (typeof step === 'number' ? `[${step}]` : nth === 0 ? step : `.${step}`)).join('')
}
