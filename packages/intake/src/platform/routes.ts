import type { FastifyInstance } from 'fastify'
import type { Metrics } from './health/metrics.ts'
import { type ReadyChecks, routeHealth } from './health/routes.ts'
import { checkHost } from './http/host-check.ts'
import { openapi } from './http/openapi.ts'
import type { Operation } from './operation.ts'

export interface PlatformContext {
  checks: ReadyChecks
  metrics?: Metrics
  /** Host names besides addresses and the loopback ones under which it may be asked. */
  hosts: ReadonlySet<string>
  /** All that the intake serves. */
  operations: readonly Operation[]
}

/** What says how the intake is and what it serves. */
export function routePlatform(app: FastifyInstance, { checks, metrics, hosts, operations }: PlatformContext): void {
  routeHealth(app, checks, hosts, metrics)
  let document: object | undefined
  app.get('/openapi.json', async (request) => {
    checkHost(request.raw, hosts)
    document ??= openapi(operations)
    return document
  })
}
