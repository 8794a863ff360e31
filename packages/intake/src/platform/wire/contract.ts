import operations from '../../contract/operations.json' with { type: 'json' }
import type { Schema } from './schema.ts'

const schemas: Readonly<Record<string, unknown>> = operations.components.schemas

/** A schema of the service's contract, with the schemas that it refers to in their places. */
export function contracted<T>(name: string): Schema<T> {
  return resolved(schemas[name]) as Schema<T>
}

function resolved(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolved)
  if (typeof node !== 'object' || node === null) return node
  const { $ref } = node as { $ref?: string }
  if ($ref !== undefined) return contracted($ref.replace('#/components/schemas/', ''))
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(value)]))
}
