import operations from '../../contract/operations.json' with { type: 'json' }
import type { Schema } from './schema.ts'

const schemas: Readonly<Record<string, unknown>> = operations.components.schemas

/** @param properties properties that differ from the service's contract, because the intake accepts less or returns more. */
export function contracted<T>(name: string, properties: Readonly<Record<string, Schema>> = {}): Schema<T> {
  const schema = resolved(schemas[name]) as { properties?: object }
  const isChanged = Object.keys(properties).length > 0
  return (isChanged ? { ...schema, properties: { ...schema.properties, ...properties } } : schema) as Schema<T>
}

function resolved(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolved)
  if (typeof node !== 'object' || node === null) return node
  const { $ref } = node as { $ref?: string }
  if ($ref !== undefined) return contracted($ref.replace('#/components/schemas/', ''))
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(value)]))
}
