import { ERRORS } from '../errors.ts'
import type { Operation } from '../operation.ts'
import { contracted } from '../wire/contract.ts'
import { Type } from '../wire/schema.ts'

const REFUSALS = ['InvalidParameter', 'Unauthorized', 'AccessDenied', 'RequestTooFrequently', 'InternalError'] as const

const REQUEST_ID = { type: 'string', examples: ['01HK8XQE3Z7JM2NTFQ5YJ8P9R4'] }
const REQUEST_ID_HEADER = { 'Service-Request-Id': { required: true, schema: REQUEST_ID } }

/** The OpenAPI document is generated from the schemas that validate requests. */
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
      schemas: { ErrorResponse: contracted('ErrorResponse') },
      responses: Object.fromEntries(
        REFUSALS.map((code) => [
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

function describe(operation: Operation) {
  const {
    path,
    name,
    title,
    permissions,
    body,
    data = Type.Object({}),
    example,
    isBodyOptional,
    authenticate,
  } = operation
  const params = [...path.matchAll(/:(\w+)/g)].map(([, param = '']) => param)
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
              properties: { request_id: REQUEST_ID, data },
            },
          },
        },
      },
      ...Object.fromEntries(REFUSALS.map((code) => [ERRORS[code][0], { $ref: `#/components/responses/${code}` }])),
    },
  }
}
