import { randomFillSync } from 'node:crypto'
import { ulid } from 'ulid'

// The library asks for randomness letter by letter; by itself it would go to the system 16 times for one id.
const pool = new Uint8Array(4096)
let used = pool.length

/** A ULID. */
export function requestId(): string {
  return ulid(undefined, randomFraction)
}

function randomFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return (pool[used++] ?? 0) / 256
}
