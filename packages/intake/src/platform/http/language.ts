import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'
import type { Localized } from '../errors.ts'

const LANGUAGES = ['en', 'zh']
const MAX_HEADER = 500

/** The language of a request by its `Accept-Language`; English when it names none that we speak. */
export function languageOf({ headers }: Pick<IncomingMessage, 'headers'>): keyof Localized {
  const wanted = headers['accept-language']
  // What programs send that do not care.
  if (wanted === undefined || wanted === '*' || wanted.length > MAX_HEADER) return 'en'
  return new Negotiator({ headers: { 'accept-language': wanted } }).language(LANGUAGES) === 'zh' ? 'zh' : 'en'
}
