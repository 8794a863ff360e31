import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS, TEST_OPERATIONS } from '../../operations.ts'
import { type Caller, callIntake } from '../../test-support/calling.fixture.ts'
import { stringifyJson } from '../wire/int64.ts'
import { compileSchema } from '../wire/validator.ts'

// Every field of every operation, taken from its schema: of a wrong type, beyond its boundary, at it, absent, null.

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

let caller: Caller
beforeAll(async () => {
  caller = await callIntake()
})
afterAll(() => caller.intake.close())

const operations = [...OPERATIONS, ...TEST_OPERATIONS].filter(({ authenticate }) => !authenticate)

describe.each(operations.map((operation) => [operation.path, operation] as const))('%s', (path, operation) => {
  const schema = operation.body as Schema
  const fields = fieldsOf(schema, [])
  const send = async (body: unknown) => caller.post(path, stringifyJson(body))
  const isAccepted = compileSchema(operation.body)
  // One at a time and not twice: the tests of a field do not depend on chance, only its wrong values do.
  const eachField = fields.map((field) => [nameOf(field.path), field] as const)

  it('accepts the sample that the cases are made of', () => {
    expect(isAccepted(sample(schema)) || isAccepted.errors).toBe(true)
  })

  if (fields.length === 0) return

  const typed = eachField.filter(([, { schema }]) => schema.type !== undefined)
  it.each(typed)('%s of a wrong type is refused by name', async (name, field) => {
    await fc.assert(
      fc.asyncProperty(wrongType(field.schema), async (value) => {
        const answer = await send(put(sample(schema), field.path, value))
        expect([answer.status, answer.code]).toEqual([400, 'InvalidParameter'])
        expect(answer.message).toContain(`parameter ${name}`)
      }),
      { numRuns: 6, seed: 9 },
    )
  })

  it.each(eachField)('%s keeps its boundary', async (name, field) => {
    for (const value of boundaries(field.schema, 'within')) {
      expect(isAccepted(put(sample(schema), field.path, value)) || [value, isAccepted.errors]).toBe(true)
      // Routes for tests would change what the other tests meet, such as the clock.
      if (TEST_OPERATIONS.includes(operation)) continue
      const answer = await send(put(sample(schema), field.path, value))
      expect([value, answer.status]).not.toEqual([value, 500])
      // A number may be refused for what it means: an id that nobody has, an end before its start, a page too far.
      if (typeof value === 'string') expect(answer.message ?? '').not.toContain(`parameter ${name} is not valid`)
    }
    for (const value of boundaries(field.schema, 'beyond')) {
      const answer = await send(put(sample(schema), field.path, value))
      expect([value, answer.code]).toEqual([value, 'InvalidParameter'])
      expect(answer.message).toContain(`parameter ${name} is not valid.`)
    }
  })

  it.each(eachField.filter(([, { path }]) => typeof path.at(-1) === 'string'))(
    '%s as null is as good as absent',
    async (name, { path, isRequired }) => {
      const [absent, nothing] = [await send(drop(sample(schema), path)), await send(put(sample(schema), path, null))]
      expect([nothing.code, nothing.message]).toEqual([absent.code, absent.message])
      if (isRequired) expect(absent.message).toBe(`The specified parameter ${name} is not valid.`)
    },
  )
})

function fieldsOf({ properties = {}, required = [] }: Schema, at: Path): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...at, name]
    return [{ path, schema, isRequired: required.includes(name) }, ...within(schema, path)]
  })
}

function within(schema: Schema, path: Path): Field[] {
  if (schema.properties) return fieldsOf(schema, path)
  if (!schema.items) return []
  const item = [...path, 0]
  return [{ path: item, schema: schema.items, isRequired: false }, ...within(schema.items, item)]
}

/** A value that the schema accepts, with every property in it. */
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
  if (pattern?.includes('{24}')) return 'a'.repeat(24)
  if (pattern?.includes(':')) return '09:30'
  return 'x'.repeat(minLength)
}

function typeOf({ type }: Schema): string {
  return (Array.isArray(type) ? type[0] : type) ?? 'object'
}

function wrongType(schema: Schema): fc.Arbitrary<unknown> {
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
  return fc.oneof(...Object.entries(values).flatMap(([name, value]) => (right.includes(name) ? [] : [value])))
}

function boundaries(schema: Schema, side: 'within' | 'beyond'): unknown[] {
  const { minimum, maximum, minLength, maxLength, minItems, format = '' } = schema
  const step = side === 'within' ? 0 : 1
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
  if (minItems !== undefined && side === 'beyond') values.push([])
  if (schema.enum && side === 'within') values.push(...schema.enum.filter((value) => value !== null))
  if (schema.enum && side === 'beyond') values.push(typeOf(schema) === 'string' ? 'none of them' : 99)
  // Small whole numbers are written as such, whatever they were computed as.
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
