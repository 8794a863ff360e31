import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the peak of an upload small; called before anything is read or sent. Sending and packing make much short-lived garbage, for which V8
 * would reserve more and more memory, for no gain. And undici parses answers in WebAssembly: optimizing that for a few hundred short answers
 * takes 28 MB, which the baseline compiler does not (docs/decisions/001-transport.md).
 */
export function keepMemorySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--liftoff-only')
}
