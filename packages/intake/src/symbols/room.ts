import { DIALECT_UPLOAD_PATH, MISSING_PATH, UPLOAD_PATH } from '@symup/core'
import type { PoolOptions } from '@symup/symbolicate'
import { createStorePool, type StorePool } from '@symup/symbolicate/internal'
import type { FastifyInstance } from 'fastify'
import { routeOperations } from '../platform/http/operation-routes.ts'
import type { RateLimits } from '../platform/rate-limit/rate-limiter.ts'
import type { Core, Room } from '../platform/room.ts'
import { sourcemapList } from './list.ts'
import { sourcemapStackEnrich } from './resolve/stack-enrich.ts'
import { MapIndexes } from './store/map-indexes.ts'
import { type Store, storeOver } from './store/store.ts'
import type { Limits } from './upload/limits.ts'
import { listMissing } from './upload/missing.ts'
import { uploadHint } from './upload/other-clients.ts'
import { takeUpload } from './upload/route.ts'

export type { SymbolServices } from './operation.ts'
export { answerOf, enrichStack, StackBody } from './resolve/stack-enrich.ts'
export { startOf } from './resolve/start-of.ts'
export type { Blobs } from './store/blobs.ts'
export type { Store, StoredUpload } from './store/store.ts'

export interface SymbolsOptions {
  /** `s3://bucket/prefix?endpoint=…`. Default: files in the data directory. */
  blobs?: string | undefined
  limits: Limits
  uploadRateLimits: RateLimits
  stacks?: PoolOptions | undefined
}

interface OpenServices {
  store: Store
  symbolicator: StorePool
  indexes: MapIndexes
}

export const SYMBOL_OPERATIONS = [sourcemapList, sourcemapStackEnrich]

// Matches the upload path below any base path. The path may occur twice, because users often set the endpoint to the full upload URL.
const UPLOAD_ROUTE = new RegExp(`(?:${UPLOAD_PATH}|${DIALECT_UPLOAD_PATH})/?$`)

export class SymbolsRoom implements Room {
  readonly name = 'symbols'
  readonly operations = SYMBOL_OPERATIONS
  readonly faultPaths = [UPLOAD_PATH]
  readonly hintOf = uploadHint
  readonly #options: SymbolsOptions
  /** Set when the room opens. */
  services!: OpenServices

  constructor(options: SymbolsOptions) {
    this.#options = options
  }

  canonicalPath(path: string): string {
    return UPLOAD_ROUTE.test(path) ? UPLOAD_PATH : path.endsWith(MISSING_PATH) ? MISSING_PATH : path
  }

  async open({ database, dataDir, metrics }: Core): Promise<void> {
    const store = await storeOver(database, dataDir, this.#options.blobs)
    const { blobs } = store
    const symbolicator = createStorePool({
      ...this.#options.stacks,
      onCacheUse: ({ hits, misses }) =>
        metrics.change(({ lookups }) => {
          lookups.inc({ result: 'hit' }, hits)
          lookups.inc({ result: 'miss' }, misses)
        }),
      ...(blobs.readRange && { readDistant: blobs.readRange.bind(blobs) }),
    })
    const indexes = new MapIndexes(store)
    metrics.change((watched) => {
      watched.watchStacks(symbolicator.load)
      watched.watchIndexes(() => indexes.waiting())
    })
    this.services = { store, symbolicator, indexes }
  }

  route(app: FastifyInstance, { directory, events, faults, limiter, services, rules }: Core): void {
    const { limits, uploadRateLimits } = this.#options
    const given = { limits, limiter: limiter('uploads', uploadRateLimits), events, ...(faults && { faults }) }
    const uploads = { ...this.services, keys: directory.uploadKeys, ...given }
    app.register(async (scope) => {
      // The upload route reads the body itself, so no content type needs a parser.
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
    app.register(async (scope) => routeOperations(scope, SYMBOL_OPERATIONS, { ...services, ...this.services }, rules))
  }

  /** Keeps the stored content. If the same content is uploaded again, it is found by its hash. */
  async reset(): Promise<void> {
    await this.services.store.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('part').execute()
      await transaction.deleteFrom('artifact').execute()
    })
  }

  ping(): Promise<void> {
    return this.services.store.blobs.ping()
  }

  /** Stops resolving stacks, so that waiting requests are answered and recorded before the server closes. */
  async stop(): Promise<void> {
    await this.services?.symbolicator.close()
    await this.services?.indexes.close()
  }

  async close(): Promise<void> {
    await this.services?.store.blobs.close()
  }
}
