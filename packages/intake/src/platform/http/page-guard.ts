import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors.ts'
import { checkHost } from './host-check.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether web pages from any site can send requests to this route. By default, only the intake's own page can send them. */
    openToPages?: boolean
  }
}

/** Pages from other sites cannot send this header, because the intake rejects the browser's preflight request. */
const TEST_HEADER = 'x-symup-test'
const TEST_ROUTES = '/__test/'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

const FOREIGN_PAGE = {
  en: 'A web page from another site sent this request. Send the request from a program, or from a page that the intake serves.',
  zh: '该请求来自其他站点的网页。请由程序发送，或在接收服务自己的页面中发送。',
}
const NO_TEST_HEADER = {
  en: `Browsers must send the ${TEST_HEADER} header with requests to test routes.`,
  zh: `浏览器访问测试接口时必须带有请求头 ${TEST_HEADER}。`,
}

/**
 * Rejects modifying requests from all web pages except the intake's own. Other pages could send such requests, because the keys of a local
 * intake are public and browsers send requests with an empty body without a preflight request.
 * @param hosts allowed host names for the intake's page, in addition to IP addresses and loopback names.
 */
export function refuseForeignPages(app: FastifyInstance, hosts: ReadonlySet<string>): void {
  app.addHook('onRequest', async ({ method, headers, raw, routeOptions }) => {
    if (READING.has(method) || !isFromBrowser(headers) || routeOptions.config.openToPages) return
    if (isForeign(headers)) throw new ApiError('AccessDenied', FOREIGN_PAGE)
    // With DNS rebinding, a page from another site can have the same origin as the intake's own page.
    checkHost(raw, hosts)
    if (routeOptions.url?.startsWith(TEST_ROUTES) && headers[TEST_HEADER] === undefined)
      throw new ApiError('AccessDenied', NO_TEST_HEADER)
  })
}

type Headers = IncomingMessage['headers']

/**
 * Browsers send `Sec-Fetch-Site` with every request, and `Origin` with every request except simple reads. Other clients send neither
 * header.
 */
function isFromBrowser(headers: Headers): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

function isForeign({ origin, host, 'sec-fetch-site': site }: Headers): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const own = `http://${host}`
  return !URL.canParse(origin ?? '') || !URL.canParse(own) || new URL(origin ?? '').host !== new URL(own).host
}
