/** A part of a body, by its first byte and the one after its last. */
export interface Stretch {
  from: number
  to: number
  /** It is made of the characters of base64 and of what separates them in `mappings` (ECMA-426), as far as one looks. */
  isVlq: boolean
}

const STEP_BYTES = 16 * 1024
/** Text has a space or another sign in so many characters. */
const LOOK_BYTES = 64
/** A shorter one is not worth a stream of its own, and goes with the one before it. */
const MIN_BYTES = 64 * 1024

const VLQ = new Uint8Array(256)
for (const character of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/,;'))
  VLQ[character] = 1

/**
 * Tells the mappings of source maps from the text around them by looking at a few bytes here and there: whatever the map's
 * order of fields, however many sections it has. A wrong answer costs bytes on the wire, and nothing else.
 * @returns what `bytes` consists of, in order, without gaps; at least one.
 */
export function stretchesOf(bytes: Uint8Array): Stretch[] {
  const found: Stretch[] = []
  for (let from = 0; from < bytes.length || from === 0; from += STEP_BYTES) {
    const to = Math.min(from + STEP_BYTES, bytes.length)
    const last = found.at(-1)
    const isVlq = looksLikeVlq(bytes, from)
    if (last?.isVlq === isVlq) last.to = to
    else found.push({ from, to, isVlq })
  }
  return found.reduce<Stretch[]>((kept, next) => {
    const last = kept.at(-1)
    const isShort = next.to - next.from < MIN_BYTES
    if (last && (isShort || last.isVlq === next.isVlq)) last.to = next.to
    else kept.push(next)
    return kept
  }, [])
}

/** Whether more of `bytes` looks like mappings than like text. */
export function isMostlyVlq(bytes: Uint8Array): boolean {
  let balance = 0
  for (let from = 0; from < bytes.length; from += STEP_BYTES) balance += looksLikeVlq(bytes, from) ? 1 : -1
  return balance > 0
}

function looksLikeVlq(bytes: Uint8Array, from: number): boolean {
  const to = Math.min(from + LOOK_BYTES, bytes.length)
  for (let index = from; index < to; index++) if (VLQ[bytes[index] as number] === 0) return false
  return true
}
