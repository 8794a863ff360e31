import type { Secret } from '../model/secret.ts'
import { t } from '../text.ts'

export interface KeyForm {
  /** The form as a phrase, such as `in plain text`, `as base64` or `percent-encoded`. */
  name: string
  bytes: Buffer
}

/** The minimum length of a string to search for. Shorter strings may occur in files by chance. */
const MIN_BYTES = 8

/**
 * Returns the forms of a key to search for: plain, UTF-16, percent-encoded, escaped, hexadecimal and base64. The base64 forms also match a
 * longer string that contains the key. The list is empty for short keys, which may occur by chance.
 */
export function keyForms(key: Secret): KeyForm[] {
  const text = key.reveal()
  const raw = Buffer.from(text)
  if (raw.length < MIN_BYTES) return []
  const forms: KeyForm[] = [
    { name: t`in plain text`, bytes: raw },
    { name: t`percent-encoded`, bytes: Buffer.from(encodeURIComponent(text)) },
    { name: t`escaped`, bytes: Buffer.from(JSON.stringify(text).slice(1, -1)) },
    { name: t`in UTF-16`, bytes: Buffer.from(text, 'utf16le') },
    { name: t`in UTF-16`, bytes: Buffer.from(text, 'utf16le').swap16() },
    ...[encodedBy(raw, '%'), encodedBy(raw, '\\x'), encodedBy(raw, '\\u00'), encodedBy(raw, '')].flat(),
  ]
  for (const before of [0, 1, 2]) {
    // Base64 maps 3 bytes to 4 characters, so the key has three variants. Characters that also encode bits of the surrounding text are
    // omitted.
    const encoded = Buffer.concat([Buffer.alloc(before), raw]).toString('base64')
    const own = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + raw.length) * 8) / 6))
    forms.push({ name: t`as base64`, bytes: Buffer.from(own) })
    forms.push({ name: t`as base64`, bytes: Buffer.from(own.replaceAll('+', '-').replaceAll('/', '_')) })
  }
  const seen = new Set<string>()
  return forms.filter(({ bytes }) => {
    const known = bytes.toString('latin1')
    return bytes.length >= MIN_BYTES && !seen.has(known) && seen.add(known)
  })
}

/** @param prefix the text before the two hexadecimal digits of each byte. The digits may be upper or lower case. */
function encodedBy(raw: Buffer, prefix: string): KeyForm[] {
  const name = prefix === '%' ? t`percent-encoded` : prefix === '' ? t`as hexadecimal digits` : t`escaped`
  const digits = [...raw].map((byte) => byte.toString(16).padStart(2, '0'))
  const texts = [digits, digits.map((pair) => pair.toUpperCase())].map((pairs) => prefix + pairs.join(prefix))
  return texts.map((text) => ({ name, bytes: Buffer.from(text) }))
}
