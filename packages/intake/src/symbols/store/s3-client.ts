import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client, IamAwsProvider } from 'minio'

/** Size of a part in bytes. Only one part is in memory at a time. */
export const PART_BYTES = 8 * 1024 * 1024
/** Maximum idle time of a connection in milliseconds. */
const IDLE_MS = 30_000

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

export interface S3Address {
  bucket: string
  /** Empty, or a path that ends with a slash. */
  prefix: string
  endpoint?: string
  region: string
}

/**
 * Parses `s3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=us-east-1`. The credentials come from the environment variables
 * `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and optionally `AWS_SESSION_TOKEN`, or from the machine's role.
 * @throws if the address has a different format.
 */
export function parseS3Address(address: string): S3Address {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 's3:' || url.hostname === '')
    throw new Error('The blob store must be a URL such as s3://bucket/prefix.')
  if (!BUCKET.test(url.hostname) || url.hostname.includes('..') || isIP(url.hostname) !== 0)
    throw new Error(
      `The bucket name ${url.hostname} is invalid. Use 3 to 63 lowercase letters, digits, dots and hyphens.`,
    )
  if (url.username || url.password) throw new Error('The URL of the blob store must not contain credentials.')
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'endpoint' && name !== 'region')
  if (unknown !== undefined) throw new Error(`The URL of the blob store contains the unknown setting ${unknown}.`)
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  const endpoint = url.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !URL.canParse(endpoint)) throw new Error('The endpoint of the blob store is not a URL.')
  return {
    bucket: url.hostname,
    prefix: prefix && `${prefix}/`,
    ...(endpoint !== undefined && { endpoint }),
    region: url.searchParams.get('region') ?? process.env.AWS_REGION ?? 'us-east-1',
  }
}

export function openS3({ endpoint = 'https://s3.amazonaws.com', region }: S3Address): {
  client: Client
  close(): void
} {
  const { protocol, hostname, port } = new URL(endpoint)
  const useSSL = protocol === 'https:'
  const transportAgent = useSSL
    ? new IdleTimeoutHttpsAgent({ keepAlive: true })
    : new IdleTimeoutAgent({ keepAlive: true })
  const client = new Client({
    endPoint: hostname,
    ...(port !== '' && { port: Number(port) }),
    useSSL,
    region,
    partSize: PART_BYTES,
    // Disable retries in the client, because it logs them to standard error.
    retryOptions: { disableRetry: true },
    transportAgent,
    ...credentials(),
  })
  return { client, close: () => transportAgent.destroy() }
}

function credentials() {
  const {
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: secretKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env
  if (accessKey && secretKey) return { accessKey, secretKey, ...(sessionToken && { sessionToken }) }
  return { credentialsProvider: new IamAwsProvider({}) }
}

/** Adds a timeout, because the S3 client has none. */
function giveUpWhenIdle<T extends Duplex | null | undefined>(socket: T): T {
  const { setTimeout } = socket as unknown as { setTimeout(ms: number, then: () => void): void }
  setTimeout.call(socket, IDLE_MS, () => socket?.destroy(new Error(`S3 sent nothing for ${IDLE_MS} ms`)))
  return socket
}

class IdleTimeoutAgent extends http.Agent {
  override createConnection(...given: Parameters<http.Agent['createConnection']>) {
    return giveUpWhenIdle(super.createConnection(...given))
  }
}

class IdleTimeoutHttpsAgent extends https.Agent {
  override createConnection(...given: Parameters<https.Agent['createConnection']>) {
    return giveUpWhenIdle(super.createConnection(...given))
  }
}
