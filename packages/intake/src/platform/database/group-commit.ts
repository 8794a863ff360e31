import { setImmediate } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './schema.ts'

/** What is done within a transaction; again, in another one, where the first could not be committed. */
export type Write<T> = (transaction: Transaction<Tables>) => Promise<T>

interface Waiting {
  write: Write<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Nobody waits long for those before. */
const MAX_GROUP = 64

/**
 * One transaction for all writes that arrive together, one after the other in it. Each returns when it is committed; one that fails does not
 * fail the others.
 */
export function groupCommit(db: Kysely<Tables>): <T>(write: Write<T>) => Promise<T> {
  let waiting: Waiting[] = []
  let isRunning = false
  const run = async () => {
    isRunning = true
    while (waiting.length > 0) {
      // What else has arrived by now comes along.
      await setImmediate()
      const group = waiting.slice(0, MAX_GROUP)
      waiting = waiting.slice(MAX_GROUP)
      await commit(db, group)
    }
    isRunning = false
  }
  return <T>(write: Write<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ write, resolve: resolve as Waiting['resolve'], reject })
      if (!isRunning) void run()
    })
}

async function commit(db: Kysely<Tables>, group: readonly Waiting[]): Promise<void> {
  let results: unknown[]
  try {
    results = await db.transaction().execute(async (transaction) => {
      const written: unknown[] = []
      for (const { write } of group) written.push(await write(transaction))
      return written
    })
  } catch (error) {
    const [first, ...others] = group
    if (others.length === 0) first?.reject(error)
    else for (const one of group) await commit(db, [one])
    return
  }
  for (const [nth, { resolve }] of group.entries()) resolve(results[nth])
}
