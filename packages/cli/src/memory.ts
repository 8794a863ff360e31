import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the peak of an upload small; called before anything is read or sent. Sending and packing make much short-lived garbage, for which V8
 * would reserve more and more memory, for no gain. And undici parses answers in WebAssembly: optimizing that for a few hundred short answers
 * takes 28 MB, which the baseline compiler does not (docs/decisions/001-transport.md). What V8 compiles of JavaScript is to be small too: an upload is over before large
 * functions, each with all that they call, have paid for themselves.
 */
export function keepMemorySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--liftoff-only')
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200')
  // When a buffer first gives its memory back, V8 throws away all that it has compiled for typed arrays. So that is done before there is any.
  const bytes = new ArrayBuffer(1)
  structuredClone(bytes, { transfer: [bytes] })
}
