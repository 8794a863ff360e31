import type { IncomingMessage } from 'node:http'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether the browser asked for a name that is this intake's. Without it any web page could have its own name point to 127.0.0.1 and
 * read the inspector with the visitor's browser (DNS rebinding).
 * @param allowed further names, such as the address that the intake was told to listen on.
 */
export function isOwnHost({ headers }: IncomingMessage, allowed: ReadonlySet<string>): boolean {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
  return LOOPBACK.has(host) || allowed.has(host)
}
