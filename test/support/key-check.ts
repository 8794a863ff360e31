import type { IncomingMessage } from 'node:http'
import { PROBE_BOUNDARY } from '@symup/core/internal'

/** Whether a request only asks if the intake accepts the key. Each run makes one before it sends anything. */
export function isKeyCheck({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['content-type']?.endsWith(`boundary=${PROBE_BOUNDARY}`) === true
}
