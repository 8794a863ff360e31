const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** What ends a process from outside. */
export type EndSignal = (typeof SIGNALS)[number]

interface Unfinished {
  leave(cause: 'exit' | EndSignal): void
  takes(signal: EndSignal): boolean
}

/** One listener serves them all: Node warns of more than ten. */
const unfinished = new Set<Unfinished>()

/**
 * Calls `leave` when the process ends before the returned function is called: by `process.exit()`, Ctrl-C or SIGTERM. A signal takes its course afterwards.
 * @param leave is synchronous, as nothing else runs in a process that ends.
 * @param takes is asked about a signal first. True: the work ends by itself because of it, and so does the work around it.
 */
export function onEarlyEnd(leave: Unfinished['leave'], takes: Unfinished['takes'] = () => false): () => void {
  const work = { leave, takes }
  if (unfinished.size === 0) listen('on')
  unfinished.add(work)
  return () => finished(work)
}

function finished(work: Unfinished): void {
  if (unfinished.delete(work) && unfinished.size === 0) listen('off')
}

function listen(how: 'on' | 'off'): void {
  process[how]('exit', onExit)
  for (const signal of SIGNALS) process[how](signal, onSignal)
}

const onExit = () => leaveAll('exit')

function onSignal(signal: EndSignal): void {
  const takers = [...unfinished].filter(({ takes }) => takes(signal))
  if (takers.length > 0) return
  leaveAll(signal)
  process.kill(process.pid, signal)
}

/** What began last ends first. */
function leaveAll(cause: 'exit' | EndSignal): void {
  for (const work of [...unfinished].reverse()) {
    finished(work)
    work.leave(cause)
  }
}
