import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

/** Of V8, by its major version; later ones count calls instead, do not know the flag, and say so. */
const DEFAULTS: Readonly<Record<string, number>> = { 11: 67_584 }
const LATER = 300_000

let running = 0

/**
 * Has V8 optimize functions later while something runs that is over before optimizing has paid for itself. Before version 12, that is on Node 20, V8 does it so
 * soon that compiling takes four times what running takes in an upload: docs/decisions/031-optimize-later.md. The flag is that of the whole process, which may be a
 * bundler's; it stays as it is where the process was started with it, and in a worker, which cannot know that.
 * @returns call it when that is over: the last such call sets the flag back.
 */
export function optimizeLater(): () => void {
  const usual = DEFAULTS[Number.parseInt(process.versions.v8, 10)]
  const given = `${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`
  if (usual === undefined || !isMainThread || /interrupt[-_]budget/.test(given)) return () => {}
  if (running++ === 0) setFlagsFromString(`--interrupt-budget=${LATER}`)
  return () => {
    if (--running === 0) setFlagsFromString(`--interrupt-budget=${usual}`)
  }
}
