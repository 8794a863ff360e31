import type { FastifyInstance } from 'fastify'
import { FAULT_HEADER, type FaultSwitch } from './faults/fault.ts'
import { routeHealth } from './health/routes.ts'
import { checkHost } from './http/host-check.ts'
import { openapi } from './http/openapi.ts'
import { refuseForeignPages } from './http/page-guard.ts'
import { createServer, type ServerOptions } from './http/server.ts'
import type { Core, Room } from './room.ts'

export function serve(
  core: Core,
  rooms: readonly Room[],
  options: Pick<ServerOptions, 'idleMs' | 'logger'>,
): FastifyInstance {
  const { events, faults, hosts, metrics, database } = core
  const operations = rooms.flatMap((room) => room.operations)
  const hintOf: Room['hintOf'] = (request) => rooms.map((room) => room.hintOf?.(request)).find((hint) => hint)
  const canonicalPath = (path: string) => rooms.reduce((known, room) => room.canonicalPath?.(known) ?? known, path)
  const app = createServer({ ...options, events, hintOf }, canonicalPath)
  if (faults) addFaults(app, faults, new Set(operations.map(({ path }) => path)))
  refuseForeignPages(app, hosts)
  for (const room of rooms) app.register(async (scope) => room.route?.(scope, core))
  const blobs = () => Promise.all(rooms.map((room) => room.ping?.()))
  app.register(async (scope) => {
    routeHealth(scope, { database: database.ping, blobs }, hosts, metrics)
    let document: object | undefined
    scope.get('/openapi.json', async (request) => {
      checkHost(request.raw, hosts)
      document ??= openapi(operations)
      return document
    })
  })
  metrics.watch(app, events)
  return app
}

/** Skips the upload route, which applies faults itself so that it can record rejected uploads. */
function addFaults(app: FastifyInstance, faults: FaultSwitch, paths: ReadonlySet<string>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isAsked = request.headers[FAULT_HEADER] !== undefined || faults.current() !== undefined
    if (!isAsked || !paths.has(request.routeOptions.url ?? '')) return done()
    faults.apply(request.raw, reply, routedPath(request.url)).then(() => reply.sent || done(), done)
  })
}

/** Returns the decoded path without a trailing slash, as the router matches it. */
function routedPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return decodeURI(path).replace(/(?<=.)\/$/, '')
}
