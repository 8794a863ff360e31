import type { ServerResponse } from 'node:http'

/** A signal that is aborted when the client leaves before it has its answer. */
export function whenGone(answer: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (answer.destroyed) controller.abort()
  answer.once('close', () => {
    if (!answer.writableFinished) controller.abort()
  })
  return controller.signal
}
