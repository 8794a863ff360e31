import { randomBytes } from 'node:crypto'

let latest = 10 ** 12

/** Returns the current time in milliseconds, or a slightly greater number to keep consecutive results in ascending order. */
export function nextNumber(): number {
  latest = Math.max(latest + 1, Date.now())
  return latest
}

/**
 * Returns twelve bytes in hex: a timestamp, a sequence number and random bits.
 * @param now Unix time in milliseconds.
 */
export function objectId(now: number): string {
  const seconds = Math.floor(now / 1000) % 2 ** 32
  const random = randomBytes(3).toString('hex').slice(1)
  return seconds.toString(16).padStart(8, '0') + nextNumber().toString(16).padStart(11, '0') + random
}
