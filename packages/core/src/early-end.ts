const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export type EndSignal = (typeof SIGNALS)[number]

interface Unfinished {
  leave(cause: 'exit' | EndSignal): void
  takes(signal: EndSignal): boolean
}

/** One listener serves all, because Node warns about more than ten. */
const unfinished = new Set<Unfinished>()

/**
 * Calls `leave` if the process ends before the returned function is called: by `process.exit()`, Ctrl-C or SIGTERM. The
 * signal is raised again afterwards.
 * @param leave must be synchronous, because an exiting process runs nothing asynchronous.
 * @param takes is called first for a signal. If any returns true, that work ends by itself and `leave` is not called.
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

/** In reverse order of their start. */
function leaveAll(cause: 'exit' | EndSignal): void {
  for (const work of [...unfinished].reverse()) {
    finished(work)
    work.leave(cause)
  }
}
