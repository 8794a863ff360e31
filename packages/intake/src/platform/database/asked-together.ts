import { setImmediate } from 'node:timers/promises'

/**
 * One query for all that ask within one turn of the event loop; it is sent after the last of them has asked.
 * @returns answers that never go back: of a query that is overtaken by a later one, as may happen with several connections, the later one's.
 */
export function askedTogether<T>(query: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined
  let sent = 0
  let newest: { nth: number; answer: T } | undefined
  const ask = async () => {
    await setImmediate()
    asking = undefined
    const nth = ++sent
    const answer = await query()
    if (!newest || nth > newest.nth) newest = { nth, answer }
    return newest.answer
  }
  return () => {
    asking ??= ask()
    return asking
  }
}
