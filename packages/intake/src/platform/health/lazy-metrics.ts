import type { Socket } from 'node:net'
import { UPLOAD_PATH } from '@symup/core'
import type { FastifyInstance } from 'fastify'
import type { IntakeEvents } from '../http/events.ts'
import type { Metrics } from './metrics.ts'

type Change = (metrics: Metrics) => void

/** Maximum number of changes to queue before the metrics library is loaded. Intakes in tests rarely exceed this number. */
const MAX_WAITING = 1000

export type LazyMetrics = ReturnType<typeof createMetrics>

/**
 * Loads the metrics library when the metrics are first read or too many changes are queued. Loading the library at startup would account
 * for a tenth of the startup time.
 */
export function createMetrics() {
  const waiting: Change[] = []
  let loading: Promise<Metrics> | undefined
  let loaded: Metrics | undefined
  const load = () => {
    loading ??= import('./metrics.ts').then(({ Metrics }) => {
      loaded = new Metrics()
      for (const change of waiting.splice(0)) change(loaded)
      return loaded
    })
    return loading
  }
  const change = (act: Change) => {
    if (loaded) return act(loaded)
    waiting.push(act)
    if (waiting.length === MAX_WAITING) void load()
  }
  return {
    load,
    change,
    watch(app: FastifyInstance, events: IntakeEvents) {
      events.on('upload', () => change(({ uploads }) => uploads.inc()))
      events.on('rejection', ({ code }) => change(({ refused }) => refused.inc({ code })))
      /** Number of bytes from earlier requests on the same connection. */
      const readBefore = new WeakMap<Socket, number>()
      app.addHook('onResponse', ({ routeOptions: { url: route = 'unknown' }, raw: { socket } }, reply, done) => {
        const { bytesRead } = socket
        const bytes = route === UPLOAD_PATH ? Math.max(0, bytesRead - (readBefore.get(socket) ?? 0)) : 0
        readBefore.set(socket, bytesRead)
        const [labels, elapsed] = [{ route, status: reply.statusCode }, reply.elapsedTime / 1000]
        change(({ seconds, uploadBytes }) => {
          seconds.observe(labels, elapsed)
          uploadBytes.inc(bytes)
        })
        done()
      })
    },
  }
}
