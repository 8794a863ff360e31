import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { checkHost } from '../http/host-check.ts'
import type { LazyMetrics } from './lazy-metrics.ts'

/** Limits the time of each check. */
const READY_MS = 2_000

/**
 * `/healthz` fails if the process should be restarted. `/readyz` fails if the database or the blob store does not answer, so that no more
 * requests are sent. `/metrics` serves Prometheus, only under the intake's own host names.
 * @param names additional allowed host names.
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
