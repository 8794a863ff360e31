import { phrase, t, translated } from '../text.ts'

/** Reasons for a missing answer, as the end of a sentence, by the error code from the system, Node or symup. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: phrase`the connection was refused`,
  ECONNRESET: phrase`the connection was closed before a response arrived`,
  EPIPE: phrase`the connection was closed during the upload`,
  ENOTFOUND: phrase`the host name was not found`,
  EAI_AGAIN: phrase`the host name could not be resolved`,
  ETIMEDOUT: phrase`the connection timed out`,
  EHOSTUNREACH: phrase`the host cannot be reached`,
  ENETUNREACH: phrase`the network cannot be reached`,
  CONNECT_TIMEOUT: phrase`the connection could not be established in time`,
  IDLE_TIMEOUT: phrase`no data was transferred for too long`,
  ATTEMPT_TIMEOUT: phrase`the request exceeded the time limit of one attempt`,
  ANSWER_TIMEOUT: phrase`the response did not finish in time`,
  ANSWER_TRUNCATED: phrase`the response was incomplete`,
  CONNECTION_CLOSED: phrase`the connection was closed before a response arrived`,
  PROXY_AUTH: phrase`the proxy requires a valid user name and password in its address`,
  PROXY_CERTIFICATE: phrase`the proxy's certificate is for another host`,
  EPROTO: phrase`the TLS handshake with the server failed; does it use http?`,
  ERR_SSL_WRONG_VERSION_NUMBER: phrase`the server does not support TLS; does it use http?`,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: phrase`the server does not support TLS; does it use http?`,
  HPE_INVALID_CONSTANT: phrase`the server does not respond over HTTP; does it use https?`,
  CERT_HAS_EXPIRED: phrase`the server's certificate has expired`,
  CERT_NOT_YET_VALID: phrase`the server's certificate is not valid yet; is the clock right?`,
  DEPTH_ZERO_SELF_SIGNED_CERT: phrase`the server's certificate is self-signed; set its certificate authority with \`ca\` or NODE_EXTRA_CA_CERTS`,
  SELF_SIGNED_CERT_IN_CHAIN: phrase`a certificate in the server's chain is self-signed; specify its certificate authority with \`ca\` or NODE_EXTRA_CA_CERTS`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: phrase`the server's certificate is not from a trusted authority; set the certificate authority with \`ca\` or NODE_EXTRA_CA_CERTS`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: phrase`the server's certificate is not from a trusted authority; set the certificate authority with \`ca\` or NODE_EXTRA_CA_CERTS`,
  ERR_TLS_CERT_ALTNAME_INVALID: phrase`the server's certificate is for another host`,
}

type Failure = NodeJS.ErrnoException & { errors?: unknown[]; proxy?: string; status?: string | undefined }

/** A host with several addresses fails with one error per address. The first error is enough. */
function codeOf({ code, errors }: Failure): string | undefined {
  return code ?? (errors?.[0] as NodeJS.ErrnoException | undefined)?.code
}

/** Matches codes from Node and OpenSSL for untrusted or missing certificates, and for answers that are not TLS. */
const OF_TLS =
  /(?:^|_)CERT(?:_|$|IFICATE)|^(?:UNABLE_TO_VERIFY_LEAF_SIGNATURE|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE))$|_UNKNOWN_CA$|^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/

/** Tests whether every retry would fail, because a certificate is not trusted or a proxy refuses the connection. */
export function isPermanent(error: unknown): boolean {
  const failure = error as Failure
  const code = codeOf(failure) ?? ''
  if (code === 'PROXY_REFUSED') return /^4(?!08|25|29)/.test(failure.status ?? '')
  return code === 'PROXY_AUTH' || OF_TLS.test(code)
}

/** Returns a clause such as `the connection was refused (ECONNREFUSED)`. The clause reveals nothing about the request except its proxy. */
export function reasonOf(error: unknown): string {
  const failure = error as Failure
  const code = codeOf(failure)
  const words =
    code === 'PROXY_REFUSED'
      ? t`the proxy returned HTTP ${failure.status ?? ''}`
      : translated(REASONS[code ?? ''] ?? t`the request failed`)
  const reason = code === undefined ? words : t`${words} (${code})`
  return failure.proxy === undefined ? reason : t`${reason}; the proxy is ${failure.proxy}`
}

/** Returns a redirect's target as display text, without user name and password and with at most 200 characters. */
export function shownRedirect(location: string): string {
  return location.replace(/(?<=\/\/)[^/?#]*@/, '').slice(0, 200)
}
