// A loopback intake that verifies everything: it unpacks every request and hashes every file. `GET /received` returns
// the hashes and the bytes on the wire since the last call, and clears them.
import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface Received {
  /** SHA-256 of every file part, in order of arrival. */
  hashes: string[]
  /** Body bytes as received. */
  wireBytes: number
}

/** Requests are stored as received and checked on demand, so that checking does not distort the measurement. */
let kept: { wire: Buffer; headers: IncomingHttpHeaders }[] = []

const server = createServer((request, response) => {
  if (request.method === 'GET' && request.url === '/received') {
    response.end(JSON.stringify(check()))
    return
  }
  const chunks: Buffer[] = []
  request.on('error', () => undefined)
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    if (request.url?.endsWith('/sourcemap/missing')) {
      response.writeHead(404).end()
      return
    }
    kept.push({ wire: Buffer.concat(chunks), headers: request.headers })
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"request_id":"sink","data":{}}')
  })
})

function check(): Received {
  const received: Received = { hashes: [], wireBytes: 0 }
  for (const { wire, headers } of kept) {
    received.wireBytes += wire.length
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(wire) : wire
    for (const file of filesOf(body, headers['content-type'] ?? '')) {
      received.hashes.push(createHash('sha256').update(file).digest('hex'))
    }
  }
  kept = []
  return received
}

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))

/** Contents of the parts with a file name. */
function* filesOf(body: Buffer, contentType: string): Generator<Buffer> {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1]
  if (boundary === undefined) return
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  let start = body.indexOf(delimiter.subarray(2)) + delimiter.length - 2
  for (;;) {
    const end = body.indexOf(delimiter, start)
    if (end < 0) return
    const headEnd = body.indexOf('\r\n\r\n', start)
    const head = body.toString('latin1', start, headEnd)
    if (/filename=/i.test(head) && !/name="?event"?/i.test(head)) yield body.subarray(headEnd + 4, end)
    start = end + delimiter.length
  }
}
