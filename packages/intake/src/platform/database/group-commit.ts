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
 * One transaction for all writes that arrive together, one after the other in it. Each returns when it is committed and on the disk; one that fails
 * does not fail the others.
 * @param onDisk waits until what was committed is on the disk. The next transaction does not wait for it.
 */
export function groupCommit(db: Kysely<Tables>, onDisk: () => Promise<void>): <T>(write: Write<T>) => Promise<T> {
  let waiting: Waiting[] = []
  let isRunning = false
  const run = async () => {
    isRunning = true
    while (waiting.length > 0) {
      // What else has arrived by now comes along.
      await setImmediate()
      const group = waiting.slice(0, MAX_GROUP)
      waiting = waiting.slice(MAX_GROUP)
      await commit(db, onDisk, group)
    }
    isRunning = false
  }
  return <T>(write: Write<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ write, resolve: resolve as Waiting['resolve'], reject })
      if (!isRunning) void run()
    })
}

async function commit(db: Kysely<Tables>, onDisk: () => Promise<void>, group: readonly Waiting[]): Promise<void> {
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
    else for (const one of group) await commit(db, onDisk, [one])
    return
  }
  void answer(group, results, onDisk)
}

async function answer(group: readonly Waiting[], results: readonly unknown[], onDisk: () => Promise<void>) {
  try {
    await onDisk()
    for (const [nth, { resolve }] of group.entries()) resolve(results[nth])
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
