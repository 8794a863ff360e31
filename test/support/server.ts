import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createProbe } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'

export interface Site {
  url: string
  close(): Promise<void>
}

/** Answers a request whose body has been read. */
export type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => unknown

/** A server on a local port, in place of an intake or of a proxy in front of it. */
export function startServer(answer: Answer): Promise<Site> {
  return listen((request, response) => {
    buffer(request).then(
      (body) => answer(request, response, body),
      () => undefined,
    )
  })
}

/** A server for the tests of a file or group. Its address is available once the first test runs. */
export function useServer(answer: Answer): { readonly url: string } {
  let site: Site
  beforeAll(async () => {
    site = await startServer(answer)
  })
  afterAll(() => site.close())
  return {
    get url() {
      return site.url
    },
  }
}

export async function listen(listener: RequestListener): Promise<Site> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** A port on which nothing listens. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createProbe()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => done(port))
    })
  })
}
