import { expect, it } from 'vitest'
import { OPERATIONS } from '../../operations.ts'
import { openapi } from './openapi.ts'

interface Schema {
  description?: string
  properties?: Record<string, Schema>
  [key: string]: unknown
}

/** Paths of fields without a description. */
function unexplained(schema: Schema, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key !== 'properties') return unexplained(value as Schema, at)
    return Object.entries(value as Record<string, Schema>).flatMap(([name, property]) => [
      ...(property.description ? [] : [`${at}.${name}`]),
      ...unexplained(property, `${at}.${name}`),
    ])
  })
}

it('says of every field of every operation what it means', () => {
  const { paths } = openapi(OPERATIONS) as { paths: Record<string, { post: Record<string, Schema> }> }
  const missing = Object.entries(paths).flatMap(([path, { post }]) => [
    ...unexplained(post.requestBody as Schema, path),
    ...unexplained((post.responses as Record<string, Schema>)[200]?.content as Schema, path),
  ])
  expect(missing.filter((field) => !/\.(?:request_id|data)$/.test(field))).toEqual([])
})
