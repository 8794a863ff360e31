import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopback } from '@symup/core/internal'
import { ApiError } from '../errors.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether the browser asked for a name that is this intake's. Without it any web page could have its own name point to 127.0.0.1 and
 * read the inspector with the visitor's browser (DNS rebinding). Loopback names count from this machine only: who comes over the network
 * can write them into the header, too.
 * @param allowed further names, such as the address that the intake was told to listen on.
 */
export function isOwnHost({ headers, socket }: IncomingMessage, allowed: ReadonlySet<string>): boolean {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
  return allowed.has(host) || (LOOPBACK.has(host) && isLoopback(socket.remoteAddress ?? ''))
}

/**
 * The same for what says nothing of any account: also by an address, or by a name without a dot, such as a container's. No web page elsewhere can
 * have either.
 * @throws ApiError AccessDenied
 */
export function checkHost(request: IncomingMessage, allowed: ReadonlySet<string>): void {
  const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
  const isUnforgeable = isIP(host.replace(/^\[|\]$/g, '')) !== 0 || !host.includes('.')
  if (!isUnforgeable && !isOwnHost(request, allowed)) throw notServedAs(host)
}

/** To be thrown. @param host as the request names it. */
export function notServedAs(host: string): ApiError {
  const name = host.slice(0, 100)
  return new ApiError('AccessDenied', { en: `This is not served as ${name}.`, zh: `不以 ${name} 这一名称提供服务。` })
}
