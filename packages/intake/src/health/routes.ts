import type { FastifyInstance } from 'fastify'
import type { Store } from '../store/store.ts'
import type { Metrics } from './metrics.ts'

/** How long the database and the blobs may take to answer. */
const READY_MS = 2_000

/**
 * `/healthz`: the process runs; restart it when not. `/readyz`: the database and the blobs answer; send requests elsewhere when not.
 * `/metrics`: for Prometheus.
 */
export function routeHealth(app: FastifyInstance, { database, blobs }: Store, metrics?: Metrics): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const [databaseState, blobsState] = await Promise.all([
      stateOf(database.db.selectFrom('secret').select('name').limit(1).execute()),
      stateOf(blobs.ping()),
    ])
    const isReady = databaseState === 'ok' && blobsState === 'ok'
    reply.code(isReady ? 200 : 503)
    return { status: isReady ? 'ok' : 'unavailable', database: databaseState, blobs: blobsState }
  })
  if (metrics) {
    app.get('/metrics', async (_request, reply) => {
      reply.header('Content-Type', metrics.contentType)
      return metrics.text()
    })
  }
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
