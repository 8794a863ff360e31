import { phrase, t, translated } from '../text.ts'

/** Sentences that explain why no response arrived, keyed by the error code of the system, Node or symup. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: phrase`The connection was refused.`,
  ECONNRESET: phrase`The connection was closed before a response arrived.`,
  EPIPE: phrase`The connection was closed during the upload.`,
  ENOTFOUND: phrase`The host name was not found.`,
  EAI_AGAIN: phrase`The host name could not be resolved.`,
  ETIMEDOUT: phrase`The connection timed out.`,
  EHOSTUNREACH: phrase`The host cannot be reached.`,
  ENETUNREACH: phrase`The network cannot be reached.`,
  CONNECT_TIMEOUT: phrase`The connection could not be established in time.`,
  IDLE_TIMEOUT: phrase`The connection was idle for too long.`,
  ATTEMPT_TIMEOUT: phrase`The request exceeded the time limit for one attempt.`,
  ANSWER_TIMEOUT: phrase`The response took too long.`,
  ANSWER_TRUNCATED: phrase`The response was incomplete.`,
  CONNECTION_CLOSED: phrase`The connection was closed before a response arrived.`,
  PROXY_AUTH: phrase`The proxy address must contain a valid user name and password.`,
  PROXY_CERTIFICATE: phrase`The certificate of the proxy is for a different host.`,
  EPROTO: phrase`The TLS handshake with the server failed. Check whether the address should start with http://.`,
  ERR_SSL_WRONG_VERSION_NUMBER: phrase`The server does not support TLS. Check whether the address should start with http://.`,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: phrase`The server does not support TLS. Check whether the address should start with http://.`,
  HPE_INVALID_CONSTANT: phrase`The server did not return a valid HTTP response. Check whether the address should start with https://.`,
  CERT_HAS_EXPIRED: phrase`The server's certificate has expired.`,
  CERT_NOT_YET_VALID: phrase`The server's certificate is not yet valid. Check the clock on this machine.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: phrase`The server's certificate is self-signed. To trust the certificate, set \`ca\` or NODE_EXTRA_CA_CERTS.`,
  SELF_SIGNED_CERT_IN_CHAIN: phrase`The certificate chain of the server contains a self-signed certificate. Trust this certificate with \`ca\` or NODE_EXTRA_CA_CERTS.`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: phrase`The server's certificate was not issued by a trusted authority. To trust the authority, set \`ca\` or NODE_EXTRA_CA_CERTS.`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: phrase`The server's certificate was not issued by a trusted authority. To trust the authority, set \`ca\` or NODE_EXTRA_CA_CERTS.`,
  ERR_TLS_CERT_ALTNAME_INVALID: phrase`The server's certificate is for a different host.`,
}

type Failure = NodeJS.ErrnoException & { errors?: unknown[]; proxy?: string; status?: string | undefined }

/** If a host has several addresses, each address has its own error. The first error is enough. */
function codeOf({ code, errors }: Failure): string | undefined {
  return code ?? (errors?.[0] as NodeJS.ErrnoException | undefined)?.code
}

/** Matches codes from Node and OpenSSL for untrusted or missing certificates, and for responses that are not TLS. */
const OF_TLS =
  /(?:^|_)CERT(?:_|$|IFICATE)|^(?:UNABLE_TO_VERIFY_LEAF_SIGNATURE|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE))$|_UNKNOWN_CA$|^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/

/** Tests whether every retry would fail, for example because a certificate is not trusted or a proxy refuses the connection. */
export function isPermanent(error: unknown): boolean {
  const failure = error as Failure
  const code = codeOf(failure) ?? ''
  if (code === 'PROXY_REFUSED') return /^4(?!08|25|29)/.test(failure.status ?? '')
  return code === 'PROXY_AUTH' || OF_TLS.test(code)
}

/**
 * Returns a sentence such as `The connection was refused (ECONNREFUSED).` The sentence may contain the proxy, but no other details of the
 * request.
 */
export function reasonOf(error: unknown): string {
  const failure = error as Failure
  const code = codeOf(failure)
  const words =
    code === 'PROXY_REFUSED'
      ? t`The proxy returned HTTP ${failure.status ?? ''}.`
      : translated(REASONS[code ?? ''] ?? t`The request failed.`)
  // The error code is inserted at the end of the first sentence. The second sentence, if any, contains advice.
  const [, what = '', advice = ''] = /^(.*?)([.。].*)$/.exec(words) ?? []
  const reason = code === undefined ? words : `${t`${what} (${code})`}${advice}`
  return failure.proxy === undefined ? reason : t`${reason} The proxy is ${failure.proxy}.`
}

/** Returns a redirect's target as display text, without user name and password and with at most 200 characters. */
export function shownRedirect(location: string): string {
  return location.replace(/(?<=\/\/)[^/?#]*@/, '').slice(0, 200)
}
