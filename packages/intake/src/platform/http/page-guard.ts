import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors.ts'
import { checkHost } from './host-check.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages of any site may send requests to this route. Default: only the intake's own page may. */
    openToPages?: boolean
  }
}

/** A page of another site cannot set this header: the browser would first ask the intake, which refuses. */
const TEST_HEADER = 'x-symup-test'
const TEST_ROUTES = '/__test/'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

const FOREIGN_PAGE = {
  en: 'A web page of another site sent this request. Send it from a program, or from the page that the intake serves.',
  zh: '该请求来自其他站点的网页。请由程序发送，或在接收服务自己的页面中发送。',
}
const NO_TEST_HEADER = {
  en: `A browser must send the header ${TEST_HEADER} to routes for tests.`,
  zh: `浏览器访问测试接口时必须带有请求头 ${TEST_HEADER}。`,
}

/**
 * Refuses every request of a web page that could change something, unless the page is the intake's own. Pages know the keys of a local intake,
 * and an empty body needs no preflight.
 * @param hosts names besides addresses and the loopback names under which the intake's page may be opened.
 */
export function refuseForeignPages(app: FastifyInstance, hosts: ReadonlySet<string>): void {
  app.addHook('onRequest', async ({ method, headers, raw, routeOptions }) => {
    if (READING.has(method) || !isFromBrowser(headers) || routeOptions.config.openToPages) return
    if (isForeign(headers)) throw new ApiError('AccessDenied', FOREIGN_PAGE)
    // A page under a name that was made to point here (DNS rebinding) looks like the intake's own.
    checkHost(raw, hosts)
    if (routeOptions.url?.startsWith(TEST_ROUTES) && headers[TEST_HEADER] === undefined)
      throw new ApiError('AccessDenied', NO_TEST_HEADER)
  })
}

type Headers = IncomingMessage['headers']

/** Browsers send `Origin` with each request that is not a plain read, and `Sec-Fetch-Site` with all; other clients send neither. */
function isFromBrowser(headers: Headers): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

function isForeign({ origin, host, 'sec-fetch-site': site }: Headers): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const own = `http://${host}`
  return !URL.canParse(origin ?? '') || !URL.canParse(own) || new URL(origin ?? '').host !== new URL(own).host
}
