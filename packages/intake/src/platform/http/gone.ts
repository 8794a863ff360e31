import type { ServerResponse } from 'node:http'

/** The signal is aborted if the client disconnects before the answer. */
export function whenGone(answer: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (answer.destroyed) controller.abort()
  answer.once('close', () => {
    if (!answer.writableFinished) controller.abort()
  })
  return controller.signal
}
