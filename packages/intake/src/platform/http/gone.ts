import type { ServerResponse } from 'node:http'

/** Returns a signal that is aborted if the client disconnects before it receives the response. */
export function whenGone(answer: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (answer.destroyed) controller.abort()
  answer.once('close', () => {
    if (!answer.writableFinished) controller.abort()
  })
  return controller.signal
}
