const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export type EndSignal = (typeof SIGNALS)[number]

interface Unfinished {
  leave(cause: 'exit' | EndSignal): void
  takes(signal: EndSignal): boolean
}

/** All unfinished work shares one listener per event, because Node prints a warning if an event has more than ten listeners. */
const unfinished = new Set<Unfinished>()

/**
 * Calls `leave` if `process.exit()`, Ctrl-C or SIGTERM ends the process before the returned function is called. After a signal, symup
 * raises the signal again so that the process still ends.
 * @param leave the function to call. It must be synchronous, because an exiting process no longer runs asynchronous code.
 * @param takes called first when a signal arrives. If any registered `takes` returns true, the process keeps running and no `leave` is
 * called.
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

function leaveAll(cause: 'exit' | EndSignal): void {
  for (const work of [...unfinished].reverse()) {
    finished(work)
    work.leave(cause)
  }
}
