import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Static, TSchema } from 'typebox'
import { ApiError, invalidParameter } from '../errors.ts'

type Node = Record<string, unknown>

const RANGES: Record<string, readonly [bigint, bigint]> = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
}

const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: false })
addFormats.default(ajv, { mode: 'fast', formats: ['email'] })
ajv.addKeyword({
  keyword: 'wideInteger',
  schemaType: 'object',
  compile: ({ format, minimum }: { format: string; minimum?: number }) => {
    const [least, most] = RANGES[format] ?? [0n, 0n]
    const floor = minimum === undefined ? least : BigInt(minimum)
    // No number that is exact is beyond 64 bits; to make a bigint of each takes ten times as long.
    return (value: unknown) =>
      typeof value === 'bigint'
        ? value >= floor && value <= most
        : Number.isSafeInteger(value) && (value as number) >= floor
  },
})
// What only documents.
for (const keyword of ['example', 'float']) if (!ajv.getKeyword(keyword)) ajv.addKeyword(keyword)
ajv.addFormat('float', true)

const compiled = new WeakMap<TSchema, ValidateFunction>()

/** Checks a value against a schema. Ajv knows no bigint, so 64-bit integers are checked by a keyword of our own. */
export function compileSchema(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  const made = ajv.compile(withWideIntegers(schema) as object)
  compiled.set(schema, made)
  return made
}

/** What Fastify takes for a validator. */
interface Validate {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}

/** The same, compiled when it first meets a value: to compile all operations' schemas takes longer than the rest of an intake's start. */
export function schemaCompiledLater(schema: TSchema): Validate {
  const later: Validate = (value) => {
    const validate = compileSchema(schema)
    const isValid = validate(value) as boolean
    later.errors = validate.errors
    return isValid
  }
  return later
}

/** Compiles a schema so that fields which it does not name are refused, at any depth. */
export function compileStrictSchema(schema: TSchema): ValidateFunction {
  return ajv.compile(strict(withWideIntegers(schema)) as object)
}

function strict(node: unknown): unknown {
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

/** What to answer to a body that does not fit its schema. */
export function refusalOf(errors: readonly ErrorObject[]): ApiError {
  const field = errors[0] && fieldOf(errors[0])
  return field ? invalidParameter(field) : NOT_AN_OBJECT
}

/** The value, which fits the schema. @throws ApiError naming the field that does not. */
export function checked<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const validate = compileSchema(schema)
  if (!validate(value)) throw refusalOf(validate.errors ?? [])
  return value as Static<S>
}

/** The field that is wrong, as a caller would write it: `layers[0].target`. */
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
