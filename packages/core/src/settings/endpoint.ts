import { UPLOAD_PATH } from '../model/wire.ts'
import { t } from '../text.ts'

/**
 * Turns a configured address into the upload URL: appends `/sourcemap/upload` unless the path already ends with it.
 * @throws RangeError with one sentence if the address cannot be used: not an http(s) URL, or with a query, a fragment
 *   or credentials.
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
    throw new RangeError(t`it is not a URL`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new RangeError(t`it is not an http or https URL`)
  if (url.username !== '' || url.password !== '') throw new RangeError(t`it contains a user name or password`)
  // `http://host/?` has an empty search, so check the text instead of the parsed URL.
  if (address.includes('?')) throw new RangeError(t`it has a query (?…)`)
  if (address.includes('#')) throw new RangeError(t`it has a fragment (#…)`)
  return url
}
