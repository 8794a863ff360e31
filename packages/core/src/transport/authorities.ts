import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as tls from 'node:tls'
import { whyUnreadable } from '../problems/unreadable.ts'
import { t } from '../text.ts'
import { unusable } from './unusable.ts'

/**
 * The certificate authorities to trust with a `ca` file. Passing any to TLS replaces the default ones, so this adds
 * them, including those of NODE_EXTRA_CA_CERTS, which Node before 22.15 does not expose.
 * @throws SymupError
 */
export function authorities(file: string): string[] {
  const own = certificates(file)
  if ('getCACertificates' in tls) {
    return [...(tls as unknown as { getCACertificates(): string[] }).getCACertificates(), own]
  }
  const extra = process.env.NODE_EXTRA_CA_CERTS
  return [...tls.rootCertificates, ...(extra ? [certificates(extra)] : []), own]
}

/** TLS would silently accept a file without certificates, and every connection would fail later. */
function certificates(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw unusable(whyUnreadable(error), file)
  }
  try {
    new X509Certificate(text)
  } catch {
    throw unusable(t`It contains no certificate in PEM format.`, file)
  }
  return text
}
