import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopback } from '@symup/core/internal'
import { ApiError } from '../errors.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Prevents DNS rebinding. Without this check, a web page could point its own host name to 127.0.0.1 and read the inspector through the
 * visitor's browser. Loopback names are accepted only from this machine, because clients on the network can also send them.
 * @param allowed additional host names, such as the configured listen address.
 */
export function isOwnHost({ headers, socket }: IncomingMessage, allowed: ReadonlySet<string>): boolean {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
  return allowed.has(host) || (LOOPBACK.has(host) && isLoopback(socket.remoteAddress ?? ''))
}

/**
 * Performs a weaker check for data that does not belong to an account. IP addresses and names without a dot, such as container names, are
 * also allowed, because they cannot be used for DNS rebinding.
 * @throws ApiError AccessDenied
 */
export function checkHost(request: IncomingMessage, allowed: ReadonlySet<string>): void {
  const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
  const isUnforgeable = isIP(host.replace(/^\[|\]$/g, '')) !== 0 || !host.includes('.')
  if (!isUnforgeable && !isOwnHost(request, allowed)) throw notServedAs(host)
}

export function notServedAs(host: string): ApiError {
  const name = host.slice(0, 100)
  return new ApiError('AccessDenied', {
    en: `The intake does not serve this page under the host name ${name}.`,
    zh: `不以 ${name} 这一名称提供服务。`,
  })
}
