import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/**
 * A handler between an intake and S3. If it returns true, it has sent the response itself. If it returns a function,
 * the function changes the content from S3.
 */
type S3Fault = (request: IncomingMessage, answer: ServerResponse) => Verdict | Promise<Verdict>
type Verdict = boolean | ((content: Buffer) => Buffer)

/** A real S3 server with its own port and directory, behind a proxy that can fail on demand. */
export interface S3 {
  /** A unique address in the bucket. */
  createAddress(): string
  /** Sets the fault for later requests. Undefined: no fault. */
  fail(fault?: S3Fault): void
  /** The number of answered and failed requests by method. */
  count(method: string): number
  close(): Promise<void>
}

export async function startS3(): Promise<S3> {
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER'
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER'
  const directory = mkdtempSync(join(tmpdir(), 'symup-s3-'))
  const real = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'maps' }],
  })
  const { port } = await real.run()
  let fault: S3Fault | undefined
  const counts = new Map<string, number>()
  const door = createServer(async (incoming, answer) => {
    const { method = 'GET', url, headers } = incoming
    counts.set(method, (counts.get(method) ?? 0) + 1)
    const verdict = fault ? await fault(incoming, answer) : false
    if (verdict === true) return
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      if (verdict === false) response.pipe(answer)
      else {
        response.on('data', (content: Buffer) => answer.write(verdict(content)))
        response.once('end', () => answer.end())
      }
    })
    onward.on('error', () => answer.destroy())
    incoming.pipe(onward)
  })
  await listen(door)
  const endpoint = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  let places = 0
  return {
    createAddress: () => `s3://maps/place-${++places}?endpoint=${encodeURIComponent(endpoint)}`,
    fail: (next) => {
      fault = next
    },
    count: (method) => counts.get(method) ?? 0,
    async close() {
      door.closeAllConnections()
      door.close()
      await real.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
}
