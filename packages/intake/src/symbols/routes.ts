import { DIALECT_UPLOAD_PATH, MISSING_PATH, UPLOAD_PATH } from '@symup/core'
import type { FastifyInstance } from 'fastify'
import { type OperationRules, routeOperations } from '../platform/http/operation-routes.ts'
import type { Services } from '../platform/operation.ts'
import { sourcemapList } from './list.ts'
import type { SymbolServices } from './operation.ts'
import { sourcemapStackEnrich } from './resolve/stack-enrich.ts'
import { listMissing } from './upload/missing.ts'
import { takeUpload, type UploadContext } from './upload/route.ts'

export const SYMBOL_OPERATIONS = [sourcemapList, sourcemapStackEnrich]

// Also matches below any base path and doubled, because users paste full URLs.
const UPLOAD_ROUTE = new RegExp(`(?:${UPLOAD_PATH}|${DIALECT_UPLOAD_PATH})/?$`)

/** The upload route for a request's path. Other paths are returned unchanged. */
export function canonicalUploadPath(path: string): string {
  return UPLOAD_ROUTE.test(path) ? UPLOAD_PATH : path.endsWith(MISSING_PATH) ? MISSING_PATH : path
}

/** Uploads, their list, and the stacks that they resolve. */
export function routeSymbols(
  app: FastifyInstance,
  uploads: UploadContext,
  services: SymbolServices & Services,
  rules: OperationRules,
): void {
  app.register(async (scope) => {
    // The upload route reads its body itself, whatever its content type.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.post(UPLOAD_PATH, { bodyLimit: Number.MAX_SAFE_INTEGER }, async (request, reply) => {
      const data = await takeUpload(uploads, request, reply)
      return { request_id: request.id, data }
    })
    scope.post(MISSING_PATH, async (request, reply) => {
      const data = await listMissing(uploads, request, reply)
      return { request_id: request.id, data }
    })
  })
  app.register(async (scope) => routeOperations(scope, SYMBOL_OPERATIONS, services, rules))
}
