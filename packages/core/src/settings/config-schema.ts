import type { SettingDefinition } from './definition.ts'
import { DEFINITIONS } from './table.ts'

/** The published address of the JSON schema, for the `$schema` field in `symup.json`. The `@symup/core` package contains the schema. */
export const CONFIG_SCHEMA_URL = 'https://unpkg.com/@symup/core/symup.schema.json'

/** Returns the JSON schema of `symup.json`. The schema uses draft 7, because editors support this version. */
export function configSchema() {
  const fields = DEFINITIONS.filter(([, { config }]) => config).map(([name, definition]) => [name, fieldOf(definition)])
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: CONFIG_SCHEMA_URL,
    title: 'symup.json',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(fields) },
    additionalProperties: false,
  }
}

function fieldOf({
  type,
  values,
  range,
  mayBeEmpty,
  mayBeBoolean,
  description,
  details,
  default: fallback,
}: SettingDefinition) {
  const texts = [description, details, fallback === undefined ? undefined : `Default: ${fallback}.`]
  const text = { type: 'string', ...(mayBeEmpty ? {} : { minLength: 1 }), ...(values && { enum: values }) }
  const shape = {
    string: text,
    path: text,
    boolean: { type: 'boolean' },
    integer: { type: 'integer', ...(range && { minimum: range[0], maximum: range[1] }) },
    list: { anyOf: [text, { type: 'array', items: text }, ...(mayBeBoolean ? [{ type: 'boolean' }] : [])] },
    map: { type: 'object', additionalProperties: text },
    function: {},
  }[type]
  return { description: texts.filter((part) => part !== undefined).join(' '), ...shape }
}
