import type { FastifyInstance } from 'fastify'
import { checkHost } from '../http/host-check.ts'
import type { Metrics } from './metrics.ts'

/** How long each may take to answer. */
const READY_MS = 2_000

/** What the intake needs to serve requests, each failing when it cannot be reached. */
export type ReadyChecks = Readonly<Record<'database' | 'blobs', () => Promise<unknown>>>

/**
 * `/healthz`: the process runs; restart it when not. `/readyz`: the database and the blobs answer; send requests elsewhere when not.
 * `/metrics`: for Prometheus, under a name that is this intake's.
 * @param names further host names under which it may be asked.
 */
export function routeHealth(
  app: FastifyInstance,
  { database, blobs }: ReadyChecks,
  names: ReadonlySet<string>,
  metrics: Metrics,
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
    reply.header('Content-Type', metrics.contentType)
    return metrics.text()
  })
}

async function stateOf(answer: Promise<unknown>): Promise<'ok' | 'unavailable'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'unavailable'>((resolve) => {
    timer = setTimeout(resolve, READY_MS, 'unavailable')
  })
  const state = answer.then(
    () => 'ok' as const,
    () => 'unavailable' as const,
  )
  return Promise.race([state, late]).finally(() => clearTimeout(timer))
}
