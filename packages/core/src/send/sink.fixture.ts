import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach } from 'vitest'
import { scriptEvent } from '../kinds/javascript/event.fixture.ts'
import type { SymbolUpload } from '../model/plan.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { Settings } from '../settings/settings.ts'

export const KEY = 'secret-key-1234'

/** A server that stores everything it receives, and a directory with files to send. */
export interface Sink {
  root: string
  server: Server
  port: number
  requests: { headers: IncomingMessage['headers']; body: Buffer }[]
  /** Answers the nth request, from 1. Default: accepted. */
  respond(response: ServerResponse, nth: number, request: IncomingMessage): void
  listen(): Promise<void>
  close(): Promise<void>
}

/** Starts a separate sink for each test in a file. */
export function useSink(): Sink {
  const sink = {
    listen: () => new Promise<void>((done) => sink.server.listen(sink.port, '127.0.0.1', done)),
    async close() {
      sink.server.closeAllConnections()
      await new Promise((done) => sink.server.close(done))
    },
  } as Sink
  beforeEach(async () => {
    sink.root = mkdtempSync(join(tmpdir(), 'symup-sink-'))
    sink.requests = []
    sink.respond = (response) => response.end('{"request_id":"r","data":{}}')
    sink.server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('error', () => undefined)
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        const nth = sink.requests.push({ headers: request.headers, body: Buffer.concat(chunks) })
        response.setHeader('Service-Request-Id', `req-${nth}`)
        sink.respond(response, nth, request)
      })
    })
    sink.port = 0
    await sink.listen()
    sink.port = (sink.server.address() as AddressInfo).port
  })
  afterEach(async () => {
    await sink.close()
    rmSync(sink.root, { recursive: true })
  })
  return sink
}

/** Settings for sending to a port. */
export function settingsFor(port: number): Settings {
  const resolution = resolveSettings({
    options: { apiKey: KEY, endpoint: `http://127.0.0.1:${port}`, service: 's', version: '1', minifiedPathPrefix: '/' },
    env: {},
    ignoreConfigFile: true,
  })
  if (!resolution.ok) throw new Error(inspect(resolution))
  return resolution.settings
}

/** Writes a map to a directory. @returns the upload for it. */
export function writtenItem(root: string, name: string, content: string = `content of ${name}`): SymbolUpload {
  const path = join(root, name)
  writeFileSync(path, content)
  return {
    event: scriptEvent(`/${name}`),
    parts: [{ name: 'source_map', filename: 'source_map', path, bytes: Buffer.byteLength(content) }],
  }
}
