// A faulty intake: `fault-sink.ts <directory> <port> <seed> <share>` breaks the given share of requests, in ways
// derived from the seed, and stores the others, one file per artifact, named after its `minified_url`. Stored files
// survive a SIGKILL. First stdout line: the port. `GET /counts` returns what was done.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { fractionsOf } from '../support/random.ts'

const [directory = '', port = '0', seed = '1', share = '0.3'] = process.argv.slice(2)
const random = fractionsOf(Number(seed))

const FAULTS = [
  'reset-at-once',
  'reset-mid-body',
  'half-closed',
  'stall',
  'slow-read',
  '500',
  '503',
  '429',
  '408',
  'lost-answer',
  'cut-answer',
] as const
type Fault = (typeof FAULTS)[number]

const counts: Record<string, number> = {}
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1
}

const server = createServer((request, response) => {
  request.on('error', () => undefined)
  if (request.method === 'GET') {
    response.end(JSON.stringify(counts))
    return
  }
  if (!request.url?.endsWith('/upload')) {
    response.writeHead(404).end()
    return
  }
  const fault = random() < Number(share) ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined
  if (fault) count(fault)
  if (fault === 'reset-at-once') request.socket.resetAndDestroy()
  else if (fault === 'half-closed') request.socket.end()
  else void take(request, response, fault)
})
// Clients may send a body slowly.
server.requestTimeout = 0
server.listen(Number(port), '127.0.0.1', () => console.log((server.address() as AddressInfo).port))

async function take(request: IncomingMessage, response: ServerResponse, fault: Fault | undefined) {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request) {
      chunks.push(chunk)
      length += chunk.length
      if (fault === 'reset-mid-body' && length > 1000) return request.socket.resetAndDestroy()
      if (fault === 'slow-read') await new Promise((done) => setTimeout(done, 20))
    }
  } catch {
    return
  }
  const status = Number(fault)
  if (status > 0) response.writeHead(status, { 'Retry-After': '0' }).end()
  else if (fault === 'reset-mid-body') request.socket.resetAndDestroy()
  else if (fault !== 'stall') answer(response, fault, store(Buffer.concat(chunks)))
}

function answer(response: ServerResponse, fault: Fault | undefined, status: number) {
  if (fault === 'lost-answer') response.socket?.resetAndDestroy()
  else if (fault === 'cut-answer') {
    response.writeHead(status, { 'Content-Length': 100 }).write('{"request_id":')
    setTimeout(() => response.socket?.destroy(), 5)
  } else response.writeHead(status).end('{"request_id":"r","data":{}}')
}

/** 200 for new content, 409 for existing content. */
function store(wire: Buffer): number {
  const body = gunzipSync(wire)
  const name = /"minified_url":"\/([^"/]+)"/.exec(body.toString('latin1', 0, 2000))?.[1] ?? 'unknown'
  const start = body.indexOf('\r\n\r\n', body.indexOf('filename=')) + 4
  const end = body.lastIndexOf('\r\n--')
  const content = body.subarray(start, end)
  const path = join(directory, name)
  if (existsSync(path)) {
    count(readFileSync(path).equals(content) ? 'again' : 'different')
    return 409
  }
  writeFileSync(`${path}.draft`, content)
  renameSync(`${path}.draft`, path)
  count('stored')
  return 200
}
