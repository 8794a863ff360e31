import type { FastifyInstance } from 'fastify'
import type { LiveErrors } from './live-errors.ts'
import { batchAddress, readBatch } from './read-batch.ts'

/** Where the SDK's option `proxy` leads, as a text and as a function that keeps the SDK's own paths. */
const PATHS = ['/rum', '/api/v2/rum', '/api/v2/logs', '/api/v2/replay', '/api/v2/profile'] as const
/** The others hold no errors: recordings and profiles are taken and dropped. */
const TRACKS: ReadonlySet<string> = new Set(['rum', 'logs'])

export function isLiveErrorsPath(path: string): boolean {
  return (PATHS as readonly string[]).includes(path)
}

/** Takes what the browser SDK sends. Any page may send here: what it sends is kept for an hour, in memory, and shown. */
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
