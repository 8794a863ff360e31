import { setFlagsFromString } from 'node:v8'
import { isMainThread, type Worker } from 'node:worker_threads'

/** A flag of V8: its value while an upload runs, and what V8 has by itself. */
interface Flag {
  name: string
  value: number
  usual: number
}

/** How often a function runs before it is optimized. V8 from 12 on counts calls instead, does not know the flag, and says so. */
const LATER: readonly Flag[] = process.versions.v8.startsWith('11.')
  ? [{ name: 'interrupt-budget', value: 300_000, usual: 67_584 }]
  : []
/** Sending and packing make much short-lived garbage, for which V8 would reserve more and more memory. */
const YOUNG: Flag = { name: 'semi-space-growth-factor', value: 1, usual: 2 }
/** Large functions are compiled with all that they call. */
const INLINED: Flag = { name: 'max-inlined-bytecode-size-cumulative', value: 200, usual: 920 }

/** By name, how many of what runs now have set it. */
const holders = new Map<string, number>()
/** How many uploads run now. */
let uploads = 0

/**
 * Has V8 optimize functions later while something runs that is over before optimizing has paid for itself. Before version 12, that is on Node 20, V8 does it so
 * soon that compiling takes four times what running takes in an upload: docs/decisions/031-v8-flags.md.
 * @returns call it when that is over: the last such call sets the flag back.
 */
export function optimizeLater(): () => void {
  return setFlags(LATER)
}

/**
 * Has V8 spend less memory, and on Node 20 less time on compiling, while an upload runs: it is over before what V8 would spend has paid for itself.
 * @returns call it when that is over: the last such call sets the flags back.
 */
export function tuneForUpload(): () => void {
  const reset = setFlags([...LATER, YOUNG, INLINED])
  if (uploads++ === 0) process.on('worker', keepSmall)
  return () => {
    if (--uploads === 0) process.off('worker', keepSmall)
    reset()
  }
}

/** The heap of each thread that starts sets the flag back, for all of them. */
function keepSmall(worker: Worker): void {
  worker.once('online', () => {
    if (holders.get(YOUNG.name)) set(YOUNG.name, YOUNG.value)
  })
}

/** The flags are those of the whole process, which may be a bundler's. In a worker, and those with which the process was started, they stay as they are. */
function setFlags(flags: readonly Flag[]): () => void {
  const given = `${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`.replaceAll('_', '-')
  const ours = isMainThread ? flags.filter(({ name }) => !given.includes(`--${name}`)) : []
  for (const { name, value } of ours) if (hold(name, 1) === 1) set(name, value)
  return () => {
    for (const { name, usual } of ours) if (hold(name, -1) === 0) set(name, usual)
  }
}

function hold(name: string, more: 1 | -1): number {
  const now = (holders.get(name) ?? 0) + more
  holders.set(name, now)
  return now
}

function set(name: string, value: number): void {
  try {
    setFlagsFromString(`--${name}=${value}`)
  } catch {
    // Bun up to 1.3 has no flags of V8.
  }
}
