import { setFlagsFromString } from 'node:v8'
import { optimizeLater } from '@symup/core/internal'

/**
 * Keeps the peak of an upload small; called before anything is read or sent. An upload is over before what V8 would spend memory on has paid for
 * itself:
 * - Sending and packing make much short-lived garbage, for which it would reserve more and more memory.
 * - Large functions of JavaScript are compiled with all that they call.
 */
export function keepMemorySmall(): void {
  keepNewSpaceSmall()
  // What the proof has done with is collected before there is much of it: 8 MB for 0.1 s of CPU.
  setFlagsFromString('--heap-growing-percent=100')
  // Marking in threads of its own takes 8 MB for them, and no less of the CPU.
  setFlagsFromString('--no-concurrent-marking')
  // The heap of each thread that starts sets the first one back, for all of them.
  process.on('worker', (worker) => worker.once('online', keepNewSpaceSmall))
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200')
  optimizeLater()
  // When a buffer first gives its memory back, V8 throws away all that it has compiled for typed arrays. So that is done before there is any.
  const bytes = new ArrayBuffer(1)
  structuredClone(bytes, { transfer: [bytes] })
}

function keepNewSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
