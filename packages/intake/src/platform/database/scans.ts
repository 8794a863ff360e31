import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import Libsql from 'libsql/promise'
import { yieldingToOthers } from '../yielding.ts'

/** Maximum number of concurrent queries. If there were only one, a slow query would block all others. */
const AT_ONCE = 2
/** Time limit per query in milliseconds, including the time spent waiting for other queries. */
const MAX_MS = 10_000
const CHECK_MS = 100
const PIECE_ROWS = 100
const MAX_PREPARED = 50

interface Statement {
  iterate(parameters: readonly unknown[]): Promise<Iterable<object>>
}

/**
 * Runs queries that may scan many rows. The queries run in threads of the SQLite driver and use separate read-only connections. Each query
 * sees all data that was committed before it started.
 */
export class ScanningDriver implements Driver {
  readonly #spare: Reader[]
  readonly #waiting: ((reader: Reader) => void)[] = []
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(path: string, busyMs: number) {
    this.#spare = Array.from({ length: AT_ONCE }, () => new Reader(path, busyMs))
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const until = performance.now() + MAX_MS
    const isOver = () => this.#isClosed || performance.now() > until
    return {
      executeQuery: async <R>(query: CompiledQuery) => {
        const rows = this.#read(query, isOver)
        this.#running.add(rows)
        try {
          return { rows: await rows } as QueryResult<R>
        } finally {
          this.#running.delete(rows)
        }
      },
      streamQuery() {
        throw new Error('A scan returns all its rows at once.')
      },
    }
  }

  async #read(query: CompiledQuery, isOver: () => boolean): Promise<object[]> {
    const reader = this.#spare.pop() ?? (await new Promise<Reader>((resolve) => this.#waiting.push(resolve)))
    try {
      return await reader.read(query, isOver)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(reader)
      else this.#spare.push(reader)
    }
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw new Error('A scan is not a transaction.')
  }

  commitTransaction = this.beginTransaction
  rollbackTransaction = this.beginTransaction

  async destroy(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
    for (const reader of this.#spare) reader.close()
  }
}

/** A connection that is opened on first use and runs one query at a time. */
class Reader {
  readonly #path: string
  readonly #busyMs: number
  #connection: Libsql | undefined
  /**
   * Statements are kept until the connection is closed. Otherwise, the garbage collector would free them on the main thread, which would
   * have to wait for a running query.
   */
  readonly #prepared = new Map<string, Statement>()

  constructor(path: string, busyMs: number) {
    this.#path = path
    this.#busyMs = busyMs
  }

  async read({ sql, parameters }: CompiledQuery, isOver: () => boolean): Promise<object[]> {
    if (isOver()) throw Object.assign(new Error('other queries took all the time'), { code: 'SQLITE_INTERRUPT' })
    if (this.#prepared.size === MAX_PREPARED) this.close()
    const connection = this.#connection ?? (await this.#open())
    // `interrupt` stops only a query that is already running, so the timer calls it repeatedly.
    const timer = setInterval(() => isOver() && connection.interrupt(), CHECK_MS)
    try {
      const statement = this.#prepared.get(sql) ?? ((await connection.prepare(inOneStep(sql))) as Statement)
      this.#prepared.set(sql, statement)
      const yieldToOthers = yieldingToOthers()
      const rows: object[] = []
      for (const row of await statement.iterate(parameters)) {
        rows.push(row)
        if (rows.length % PIECE_ROWS === 0) await yieldToOthers()
      }
      return rows
    } finally {
      clearInterval(timer)
    }
  }

  async #open(): Promise<Libsql> {
    const connection = new Libsql(this.#path, { timeout: this.#busyMs })
    this.#connection = connection
    await connection.exec('pragma query_only = on')
    return connection
  }

  close(): void {
    this.#connection?.close()
    this.#connection = undefined
    this.#prepared.clear()
  }
}

/**
 * The driver fetches only the first row in a thread, and all other rows on the main thread. With a materialized result, SQLite computes all
 * rows before it returns the first one.
 */
function inOneStep(sql: string): string {
  return `with scan as materialized (${sql}) select * from scan`
}
