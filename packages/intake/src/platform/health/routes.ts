import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { checkHost } from '../http/host-check.ts'
import type { LazyMetrics } from './lazy-metrics.ts'

/** Time limit for each check, in milliseconds. */
const READY_MS = 2_000

/**
 * `/healthz` fails if the process must be restarted. `/readyz` fails if the database or the blob store is unavailable, so that load
 * balancers send no more requests. `/metrics` serves Prometheus metrics, but only at the intake's own host names.
 * @param names additional host names to allow.
 */
export function routeHealth(
  app: FastifyInstance,
  { database, blobs }: Record<'database' | 'blobs', () => Promise<unknown>>,
  names: ReadonlySet<string>,
  metrics: Pick<LazyMetrics, 'load'>,
): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const [databaseState, blobsState] = await Promise.all([stateOf(database()), stateOf(blobs())])
    const isReady = databaseState === 'ok' && blobsState === 'ok'
    reply.code(isReady ? 200 : 503)
    return { status: isReady ? 'ok' : 'unavailable', database: databaseState, blobs: blobsState }
  })
  app.get('/metrics', async (request, reply) => {
    checkHost(request.raw, names)
    const { contentType, text } = await (await metrics.load()).read()
    reply.header('Content-Type', contentType)
    return text
  })
}

async function stateOf(answer: Promise<unknown>): Promise<'ok' | 'unavailable'> {
  const late = wait(READY_MS, 'unavailable' as const, { ref: false })
  return Promise.race([answer.then(() => 'ok' as const), late]).catch(() => 'unavailable')
}
