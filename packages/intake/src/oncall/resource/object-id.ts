import { randomBytes } from 'node:crypto'

/** Twelve bytes in hex, the first four the time. @param now Unix milliseconds. */
export function objectId(now: number): string {
  const seconds = Math.floor(now / 1000) % 2 ** 32
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex')
}
