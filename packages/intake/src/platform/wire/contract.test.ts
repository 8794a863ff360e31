import { expect, it } from 'vitest'
import operations from '../../contract/operations.json' with { type: 'json' }
import { OPERATIONS } from '../../rooms.ts'
import { contracted } from './contract.ts'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  required?: string[]
  items?: Schema
  enum?: unknown[]
  [bound: string]: unknown
}

/** Names the JSON schema limits, and tells whether a larger value is stricter. */
const BOUNDS = { minimum: true, minLength: true, minItems: true, maximum: false, maxLength: false, maxItems: false }

const requests = Object.entries(operations.paths).map(([path, { post }]) => {
  const { $ref } = post.requestBody.content['application/json'].schema
  return [path, contracted($ref.replace('#/components/schemas/', '')) as Schema] as const
})

it.each(requests)('%s accepts the request from the contract', (path, wanted) => {
  const own = OPERATIONS.find((operation) => operation.path === path)?.body as Schema
  expect(differences(wanted, own, 'body')).toEqual([])
})

/** Lists differences from the contract: missing or extra fields, other types and values, and stricter limits. */
function differences(wanted: Schema, own: Schema | undefined, at: string): string[] {
  if (!own) return [at]
  const [type, ownType] = [[wanted.type ?? []].flat()[0], [own.type ?? []].flat()[0]]
  const demanded = own.required?.filter((name) => !wanted.required?.includes(name)) ?? []
  const isOpen = own.properties === undefined && own.additionalProperties === true
  return [
    ...(type === ownType ? [] : [`${at} is ${ownType}, not ${type}`]),
    ...Object.entries(BOUNDS).flatMap(([bound, isLower]) => {
      const [limit, ownLimit] = [Number(wanted[bound]), Number(own[bound] ?? Number.NaN)]
      const isKept = wanted[bound] === undefined || (isLower ? ownLimit >= limit : ownLimit <= limit)
      return isKept ? [] : [`${at}.${bound}`]
    }),
    ...(wanted.pattern === undefined || wanted.pattern === own.pattern ? [] : [`${at} has another pattern`]),
    ...demanded.map((name) => `${at}.${name} is required`),
    ...(wanted.enum?.filter((value) => value !== null && own.enum?.includes(value) === false) ?? []).map(
      (value) => `${at} is not ${value}`,
    ),
    ...Object.entries(isOpen ? {} : (wanted.properties ?? {})).flatMap(([name, field]) =>
      differences(field, own.properties?.[name], `${at}.${name}`),
    ),
    ...(wanted.items ? differences(wanted.items, own.items, `${at}[]`) : []),
  ]
}
