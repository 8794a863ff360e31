import { ERRORS } from '../errors.ts'
import type { Operation } from '../operation.ts'

const RESPONSES = {
  400: 'InvalidParameter',
  401: 'Unauthorized',
  403: 'AccessDenied',
  429: 'RequestTooFrequently',
  500: 'InternalError',
} as const

const REQUEST_ID_HEADER = { 'Service-Request-Id': { required: true, schema: { type: 'string' } } }

/** The interface description, made of what checks the requests. */
export function openapi(operations: readonly Operation[], title = 'symup intake'): object {
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0' },
    servers: [{ url: '/' }],
    security: [{ AppKeyAuth: [] }],
    paths: Object.fromEntries(
      operations.map((operation) => [operation.path.replace(/:(\w+)/g, '{$1}'), { post: describe(operation) }]),
    ),
    components: {
      securitySchemes: {
        AppKeyAuth: { type: 'apiKey', in: 'query', name: 'app_key' },
        BearerAuth: { type: 'http', scheme: 'bearer' },
      },
      schemas: {
        ErrorResponse: {
          type: 'object',
          required: ['request_id', 'error'],
          properties: {
            request_id: { type: 'string' },
            error: {
              type: 'object',
              required: ['code', 'message'],
              properties: { code: { type: 'string', enum: Object.keys(ERRORS) }, message: { type: 'string' } },
            },
          },
        },
      },
      responses: Object.fromEntries(
        Object.entries(RESPONSES).map(([, code]) => [
          code,
          {
            description: ERRORS[code][1],
            headers: REQUEST_ID_HEADER,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
          },
        ]),
      ),
    },
  }
}

/** The schema with what its fields mean, at any depth. */
function explained(schema: unknown, fields: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => explained(item, fields))
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).map(([key, value]) => {
    if (key !== 'properties' || typeof value !== 'object') return [key, explained(value, fields)]
    const properties = Object.entries(value as object).map(([name, property]) => {
      const text = Object.hasOwn(fields, name) ? { description: fields[name] } : {}
      return [name, { ...text, ...(explained(property, fields) as object) }]
    })
    return [key, Object.fromEntries(properties)]
  })
  return Object.fromEntries(parts)
}

function describe(operation: Operation) {
  const { path, name, title, permissions, example, isBodyOptional, authenticate, fields = {} } = operation
  const [body, data] = [explained(operation.body, fields), explained(operation.data, fields)]
  const params = [...path.matchAll(/:(\w+)/g)].map(([, param]) => param)
  return {
    operationId: name.replaceAll(':', '-'),
    summary: title.en,
    ...(permissions && { description: `Permission: ${permissions.join(' or ')}.` }),
    ...(authenticate && { security: [{ BearerAuth: [] }] }),
    ...(params.length > 0 && {
      parameters: params.map((param) => ({ name: param, in: 'path', required: true, schema: { type: 'string' } })),
    }),
    requestBody: {
      required: !isBodyOptional,
      content: { 'application/json': { schema: body, example } },
    },
    responses: {
      200: {
        description: 'Success',
        headers: REQUEST_ID_HEADER,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['request_id', 'data'],
              properties: { request_id: { type: 'string' }, data },
            },
          },
        },
      },
      ...Object.fromEntries(
        Object.entries(RESPONSES).map(([status, code]) => [status, { $ref: `#/components/responses/${code}` }]),
      ),
    },
  }
}
