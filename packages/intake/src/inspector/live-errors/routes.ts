import type { FastifyInstance } from 'fastify'
import type { LiveErrors } from './live-errors.ts'
import { batchAddress, readBatch } from './read-batch.ts'

/** Paths that result from the SDK's option `proxy`, as text or as a function that keeps the SDK's paths. */
const PATHS = ['/rum', '/api/v2/rum', '/api/v2/logs', '/api/v2/replay', '/api/v2/profile'] as const
/** Other tracks contain no errors: recordings and profiles are accepted and dropped. */
const TRACKS: ReadonlySet<string> = new Set(['rum', 'logs'])

export function isLiveErrorsPath(path: string): boolean {
  return (PATHS as readonly string[]).includes(path)
}

/** Accepts data from the browser SDK. Any page may send it. It is kept in memory for an hour, and shown. */
export function routeLiveErrors(app: FastifyInstance, errors: LiveErrors): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
  })
  for (const path of PATHS) {
    app.options(path, async (_request, reply) => {
      reply.code(204).headers({
        'Access-Control-Allow-Methods': 'POST',
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Allow-Private-Network': 'true',
        'Access-Control-Max-Age': '600',
      })
    })
    app.post(path, { bodyLimit: Number.MAX_SAFE_INTEGER, config: { openToPages: true } }, async (request, reply) => {
      const address = batchAddress(request.url)
      if (TRACKS.has(address.track)) errors.take(await readBatch(request.raw, address))
      else request.raw.resume()
      reply.code(202)
      return { request_id: request.id }
    })
  }
}
