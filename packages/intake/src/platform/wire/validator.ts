import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { ApiError, invalidParameter } from '../errors.ts'
import type { Schema, Static } from './schema.ts'

type Node = Record<string, unknown>

const RANGES: Record<string, readonly [bigint, bigint]> = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
}

/** Ajv is loaded on first use, because loading it takes longer than starting the rest of the intake. */
let loading: Promise<Ajv> | undefined

async function load(): Promise<Ajv> {
  const [{ Ajv }, { default: addFormats }] = await Promise.all([import('ajv'), import('ajv-formats')])
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: false })
  addFormats.default(ajv, { mode: 'fast', formats: ['email'] })
  ajv.addKeyword({
    keyword: 'wideInteger',
    schemaType: 'object',
    compile: ({ format, minimum }: { format: string; minimum?: number }) => {
      const [least, most] = RANGES[format] ?? [0n, 0n]
      const floor = minimum === undefined ? least : BigInt(minimum)
      // Safe integers always fit in 64 bits. Converting each one to a bigint would be ten times slower.
      return (value: unknown) =>
        typeof value === 'bigint'
          ? value >= floor && value <= most
          : Number.isSafeInteger(value) && (value as number) >= floor
    },
  })
  // `example` and `float` are only for documentation, but Ajv rejects unknown keywords.
  for (const keyword of ['example', 'float']) if (!ajv.getKeyword(keyword)) ajv.addKeyword(keyword)
  ajv.addFormat('float', true)
  ajv.addFormat('timezone', isTimezone)
  return ajv
}

/** Tests whether a name is an IANA time zone. */
function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const compiled = new WeakMap<Schema, ValidateFunction>()

/** Uses a custom keyword for 64-bit integers, because Ajv does not support bigints. */
export async function compileSchema(schema: Schema): Promise<ValidateFunction> {
  const known = compiled.get(schema)
  if (known) return known
  loading ??= load()
  const made = (await loading).compile(withWideIntegers(schema) as object)
  compiled.set(schema, made)
  return made
}

/** Rejects unknown fields at all levels. */
export function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict)
  if (typeof node !== 'object' || node === null) return node
  const fields = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, strict(value)]))
  const isOpen = fields.properties === undefined || fields.additionalProperties !== undefined
  return isOpen ? fields : { ...fields, additionalProperties: false }
}

function withWideIntegers(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withWideIntegers)
  if (typeof node !== 'object' || node === null) return node
  const { type, format, minimum, maximum } = node as Node
  const isWide = type === 'integer' || (Array.isArray(type) && type[0] === 'integer')
  if (isWide && typeof format === 'string' && format in RANGES) {
    if (maximum !== undefined) return { type, minimum, maximum }
    return { wideInteger: { format, ...(minimum !== undefined && { minimum }) } }
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withWideIntegers(value)]))
}

const NOT_AN_OBJECT = new ApiError('BadRequest', {
  en: 'The body must be a JSON object.',
  zh: '请求体必须是 JSON 对象。',
})

function refusalOf(errors: readonly ErrorObject[]): ApiError {
  const field = errors[0] && fieldOf(errors[0])
  return field ? invalidParameter(field) : NOT_AN_OBJECT
}

/**
 * Removes fields that are not in the schema.
 * @throws ApiError with the path of the invalid field.
 */
export async function checked<S extends Schema>(schema: S, value: unknown): Promise<Static<S>> {
  const validate = await compileSchema(schema)
  if (!validate(value)) throw refusalOf(validate.errors ?? [])
  return knownFields(schema, value) as Static<S>
}

/** Removes unknown fields, so that operations never store or return fields that the service does not support. */
function knownFields(schema: Schema, value: unknown): unknown {
  const { properties, additionalProperties, items } = schema as Node
  if (Array.isArray(value)) return items ? value.map((item) => knownFields(items, item)) : value
  if (!properties || additionalProperties || typeof value !== 'object' || value === null) return value
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name))
  return Object.fromEntries(known.map(([name, field]) => [name, knownFields(field, (value as Node)[name])]))
}

/** Returns the path of the invalid field as callers would write it, such as `layers[0].target`. */
export function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const missing = keyword === 'required' ? `/${params.missingProperty}` : ''
  return `${instancePath}${missing}`
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step, nth) => (/^\d+$/.test(step) ? `[${step}]` : nth === 0 ? step : `.${step}`))
    .join('')
    .slice(0, 200)
}
