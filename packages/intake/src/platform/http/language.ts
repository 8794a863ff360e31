import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'
import type { Localized } from '../errors.ts'

const LANGUAGES = ['en', 'zh']
const MAX_HEADER = 500

/** The language of a request by its `Accept-Language`; English if none is supported. */
export function languageOf({ headers }: Pick<IncomingMessage, 'headers'>): keyof Localized {
  const wanted = headers['accept-language']
  // Typical for programs without a preference.
  if (wanted === undefined || wanted === '*' || wanted.length > MAX_HEADER) return 'en'
  return new Negotiator({ headers: { 'accept-language': wanted } }).language(LANGUAGES) === 'zh' ? 'zh' : 'en'
}
