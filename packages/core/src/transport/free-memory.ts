import { MessageChannel } from 'node:worker_threads'

/** Smaller ones are slices of a buffer that others use too, and not worth the call. */
const MIN_BYTES = 64 * 1024

/**
 * Gives a large buffer's memory back at once; it is empty afterwards. The collector would let 32 MB of them gather first, and every
 * fresh one costs a page fault each 4 KB. Only for bytes that nobody reads any more, the kernel included.
 */
export function freeMemory({ buffer }: Buffer): void {
  if (buffer.byteLength < MIN_BYTES || buffer.byteLength <= Buffer.poolSize) return
  try {
    detach(buffer as ArrayBuffer)
  } catch {
    // Of Node 26 the pool is larger than it says, and belongs to nobody else.
  }
}

const detach: (bytes: ArrayBuffer) => void = 'transfer' in ArrayBuffer.prototype ? shrinkToNothing : postToClosedPort()

function shrinkToNothing(bytes: ArrayBuffer): void {
  ;(bytes as ArrayBuffer & { transfer(length: number): ArrayBuffer }).transfer(0)
}

/** Before Node 21: what is handed over to a port that is closed is freed. */
function postToClosedPort(): (bytes: ArrayBuffer) => void {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  return (bytes) => port1.postMessage(null, [bytes])
}
