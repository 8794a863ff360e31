import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'

const MAX_BYTES = 256 * 1024 * 1024
const MAX_MS = 10_000
/** A client that has sent nothing for this many milliseconds is assumed to be waiting for the response. */
const MAX_IDLE_MS = 1000

/**
 * Reads and discards the rest of a body. A client that is still sending then receives the response instead of a connection reset. If the
 * body does not end in time, the connection is closed after the response.
 */
export async function drain(request: IncomingMessage, reply: FastifyReply): Promise<void> {
  if (!(await reachesEnd(request))) reply.header('Connection', 'close')
}

function reachesEnd(request: IncomingMessage): Promise<boolean> {
  if (request.readableEnded) return Promise.resolve(true)
  if (request.destroyed) return Promise.resolve(false)
  return new Promise((resolve) => {
    let bytes = 0
    const finish = (ended: boolean) => {
      clearTimeout(timer)
      clearTimeout(idle)
      request.removeListener('data', count)
      request.pause()
      resolve(ended)
    }
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      idle.refresh()
      if (bytes > MAX_BYTES) finish(false)
    }
    const timer = setTimeout(() => finish(false), MAX_MS)
    const idle = setTimeout(() => finish(false), MAX_IDLE_MS)
    request.once('end', () => finish(true))
    request.once('close', () => finish(request.readableEnded))
    request.on('error', () => finish(false))
    request.on('data', count)
    request.resume()
  })
}
