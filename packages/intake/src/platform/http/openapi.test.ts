import { expect, it } from 'vitest'
import { OPERATIONS, TEST_OPERATIONS } from '../../rooms.ts'
import { compileSchema } from '../wire/validator.ts'
import { openapi } from './openapi.ts'

interface Schema {
  description?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  [key: string]: unknown
}

const DOCUMENTS = [openapi(OPERATIONS), openapi(TEST_OPERATIONS)]

/** Everything within a document that has fields. */
function schemasIn(node: unknown, at: string): [place: string, schema: Schema][] {
  if (typeof node !== 'object' || node === null) return []
  const here: [string, Schema][] = 'properties' in node ? [[at, node as Schema]] : []
  // An example is not a schema, whatever its fields are called.
  const inner = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples')
  return [...here, ...inner.flatMap(([key, value]) => schemasIn(value, `${at}/${key}`))]
}

const fields = DOCUMENTS.flatMap((document) => schemasIn(document, '')).flatMap(([at, { properties = {} }]) =>
  Object.entries(properties).map(([name, schema]) => [`${at}: ${name}`, schema] as const),
)

/** Shown by the fields that it has. */
function hasFields({ properties, items, allOf }: Schema): boolean {
  return properties !== undefined || allOf !== undefined || (items !== undefined && hasFields(items))
}

it('says of every field of every operation what it means', () => {
  expect(fields.length).toBeGreaterThan(1000)
  expect(fields.filter(([, { description }]) => !description).map(([place]) => place)).toEqual([])
})

it('has examples of every field, which its schema accepts', async () => {
  const checks = new Map<string, Awaited<ReturnType<typeof compileSchema>>>()
  const wrong: typeof fields = []
  for (const field of fields) {
    const { description: _, examples, ...rest } = field[1]
    if (hasFields(field[1])) continue
    // Many fields have one schema.
    const key = JSON.stringify(rest)
    const isValid = checks.get(key) ?? (await compileSchema(rest as Parameters<typeof compileSchema>[0]))
    checks.set(key, isValid)
    if (!examples?.length || !examples.every((example) => isValid(example))) wrong.push(field)
  }
  expect(wrong.map(([place, { examples }]) => `${place} ${JSON.stringify(examples)}`)).toEqual([])
})
