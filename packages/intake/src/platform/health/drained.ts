import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Counts only `POST` requests, because event streams use `GET` and never end. */
export function countRunning(app: FastifyInstance): { count: number } {
  const running = { count: 0 }
  app.server.on('request', ({ method }, answer) => {
    if (method !== 'POST') return
    running.count++
    answer.once('close', () => running.count--)
  })
  return running
}

const LOOK_MS = 20

/** Stops accepting connections and waits up to `maxMs` milliseconds for running requests to finish. */
export async function drained(server: Server, running: { count: number }, maxMs: number): Promise<void> {
  if (maxMs === 0) return
  server.close()
  server.closeIdleConnections()
  const end = Date.now() + maxMs
  while (running.count > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}
