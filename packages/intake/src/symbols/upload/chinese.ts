import { catalogueOf } from '@symup/core/catalogue'
import { inChinese } from '@symup/core/text'
import { ApiError } from '../../platform/errors.ts'
import refusals from './refusals.zh.json' with { type: 'json' }

const catalogue = catalogueOf(refusals)

const PARAMETER = /^The specified parameter (\S+) is not valid\.(?: (.*))?$/s

/** If an error has no translation, the English message is used for both languages. */
export function inEachLanguage(error: unknown): unknown {
  if (!(error instanceof ApiError) || !error.isPlain) return error
  const { message: en, code, headers } = error
  const [isParameter, name, detail = ''] = PARAMETER.exec(en) ?? []
  const translated =
    isParameter === undefined || detail !== '' ? translate(isParameter === undefined ? en : detail) : ''
  if (translated === undefined) return new ApiError(code, { en, zh: en }, headers)
  const zh = isParameter === undefined ? translated : `指定的参数 ${name} 无效。${translated}`
  return new ApiError(code, { en, zh }, headers)
}

/** Translates a message. symup's own catalog may contain a translation for messages about file formats. */
function translate(text: string): string | undefined {
  const own = catalogue.sentence(text)
  if (own !== undefined) return own
  const known = inChinese(text)
  if (known !== undefined && !ENGLISH.test(known)) return known
  const sentences = text.split(/(?<=\.) (?=[A-Z])/)
  if (sentences.length === 1) return undefined
  const each = sentences.map(translate)
  return each.every((it) => it !== undefined) ? each.join('') : undefined
}

/** Detects messages that still contain English phrases, so that partly translated messages are not shown. */
const ENGLISH = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/
