import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import Libsql from 'libsql/promise'
import { yieldingToOthers } from '../yielding.ts'
import { Reused } from './reused.ts'

/** Queries that run at the same time, so that one that takes long does not keep all others waiting. */
const AT_ONCE = 2
/** Milliseconds for a query, of which it may spend some waiting for others. */
const MAX_MS = 10_000
const CHECK_MS = 100
/** Rows that are taken in one piece. */
const PIECE_ROWS = 100
const MAX_PREPARED = 50

interface Statement {
  iterate(parameters: readonly unknown[]): Promise<Iterable<object>>
}

/**
 * Runs queries that may look at many rows on threads of SQLite's driver, with connections of their own that only read. A connection reads what was committed
 * before. Each is opened when it is first needed.
 */
export class ScanningDriver implements Driver {
  readonly #readers: Reused<Reader>
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(path: string, busyMs: number) {
    this.#readers = new Reused(AT_ONCE, () => new Reader(path, busyMs))
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
        throw new Error('a scan has its rows all at once')
      },
    }
  }

  async #read(query: CompiledQuery, isOver: () => boolean): Promise<object[]> {
    const reader = await this.#readers.take()
    try {
      return await reader.read(query, isOver)
    } finally {
      this.#readers.give(reader)
    }
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw new Error('a scan is no transaction')
  }

  commitTransaction = this.beginTransaction
  rollbackTransaction = this.beginTransaction

  async destroy(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
    for (const reader of this.#readers.drain()) reader.close()
  }
}

/** A connection for one query at a time. */
class Reader {
  readonly #path: string
  readonly #busyMs: number
  #connection: Libsql | undefined
  /**
   * Kept for as long as the connection is: the garbage collector frees a statement on the event loop's thread, and would wait there for a query that the
   * connection runs.
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
    // Again and again: it ends only what runs at that moment.
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

/** The driver looks for the first row on a thread, and for the others on the event loop's: so they are all found with the first. */
function inOneStep(sql: string): string {
  return `with scan as materialized (${sql}) select * from scan`
}
