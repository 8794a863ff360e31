import type { FastifyInstance } from 'fastify'
import type { Metrics } from './health/metrics.ts'
import { type ReadyChecks, routeHealth } from './health/routes.ts'
import { openapi } from './http/openapi.ts'
import type { Operation } from './operation.ts'

export interface PlatformContext {
  checks: ReadyChecks
  metrics?: Metrics
  /** All that the intake serves. */
  operations: readonly Operation[]
}

/** What says how the intake is and what it serves. */
export function routePlatform(app: FastifyInstance, { checks, metrics, operations }: PlatformContext): void {
  routeHealth(app, checks, metrics)
  const document = openapi(operations)
  app.get('/openapi.json', async () => document)
}
