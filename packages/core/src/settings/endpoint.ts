import { UPLOAD_PATH } from '../model/wire.ts'
import { t } from '../text.ts'
import type { Setting } from './settings.ts'
import type { OptionValue } from './table.ts'

export const SITES = {
  CN: 'https://ci.flashcat.cloud',
  STAGING: 'https://ci-dev.flashcat.cloud',
} as const satisfies Record<OptionValue<'site'>, string>

export type Site = keyof typeof SITES
export const DEFAULT_SITE: Site = 'CN'

/**
 * Converts a configured address to the upload URL by appending `/sourcemap/upload`, unless the path already ends with it.
 * @throws RangeError if the address is not an HTTP(S) URL, or if it has a query, a fragment or credentials.
 */
export function uploadUrl(address: string): string {
  const url = parse(address)
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith(UPLOAD_PATH) ? path : path + UPLOAD_PATH
  return url.href
}

function parse(address: string): URL {
  let url: URL
  try {
    url = new URL(address)
  } catch {
    throw new RangeError(t`The address is not a valid URL.`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new RangeError(t`The address is not an HTTP or HTTPS URL.`)
  if (url.username !== '' || url.password !== '')
    throw new RangeError(t`The address contains a user name or a password.`)
  // `http://host/?` has an empty `search` property, so the string is checked instead of the parsed URL.
  if (address.includes('?')) throw new RangeError(t`The address contains a query string (?…).`)
  if (address.includes('#')) throw new RangeError(t`The address contains a fragment (#…).`)
  return url
}

/**
 * Returns the proxy and the excluded hosts for an address, as set in environment variables. Depending on the scheme, `https_proxy` or
 * `http_proxy` takes precedence over `all_proxy`. Lower-case names take precedence over upper-case names, as in curl.
 */
export function proxyFromEnvironment(
  endpoint: string,
  env: NodeJS.ProcessEnv,
): { proxy?: Setting<string>; noProxy?: Setting<string> } {
  const read = (...names: string[]): Setting<string> | undefined => {
    for (const name of names.flatMap((lower) => [lower, lower.toUpperCase()])) {
      const value = env[name]
      if (value) return { value, from: { kind: 'environment', name }, overrode: [] }
    }
    return undefined
  }
  const proxy = read(`${new URL(endpoint).protocol.slice(0, -1)}_proxy`, 'all_proxy')
  if (proxy === undefined) return {}
  const noProxy = read('no_proxy')
  return { proxy, ...(noProxy && { noProxy }) }
}
