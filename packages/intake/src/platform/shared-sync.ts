import { closeSync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { syncData } from '@symup/core/internal'

/** For a file, only its data needs to be synced; a directory consists of its names. */
const SYNC = { file: syncData, directory: promisify(fsync) }

/** The file is missing, or directories cannot be opened, as on Windows. */
const UNOPENED: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EISDIR', 'EPERM', 'EACCES'])
/** The file system does not support syncing. */
const UNSYNCED: ReadonlySet<string | undefined> = new Set(['EINVAL', 'EBADF', 'EPERM', 'ENOTSUP', 'ENOSYS'])

/**
 * Waits until files and directories are on disk. A file is durable only with its data synced, and a new name only with
 * its directory synced. Concurrent requests for the same path share one sync. A few hundred paths stay open until the
 * end.
 */
export class SharedSync {
  readonly #wait: (file: number) => Promise<void>
  readonly #open = new Map<string, number>()
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

  constructor(kind: keyof typeof SYNC) {
    this.#wait = SYNC[kind]
  }

  /**
   * Resolves when everything written before the call is on disk. @throws the file system's error if the path cannot be
   * opened.
   */
  sync(path: string): Promise<void> {
    // A running sync may have started too early. A pending one serves all callers until it starts.
    const waiting = this.#next.get(path)
    if (waiting) return waiting
    const before = this.#underWay.get(path)
    if (!before) return this.#begin(path)
    const begin = () => {
      this.#next.delete(path)
      return this.#begin(path)
    }
    const next = before.then(begin, begin)
    this.#next.set(path, next)
    return next
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file)
    this.#open.clear()
  }

  async #begin(path: string): Promise<void> {
    const done = this.#sync(path)
    this.#underWay.set(path, done)
    try {
      await done
    } finally {
      if (this.#underWay.get(path) === done) this.#underWay.delete(path)
    }
  }

  async #sync(path: string): Promise<void> {
    const file = this.#opened(path)
    if (file === undefined) return
    try {
      await this.#wait(file)
    } catch (error) {
      // Some file systems cannot sync a directory and have no alternative.
      if (UNSYNCED.has((error as NodeJS.ErrnoException).code)) return
      throw error
    }
  }

  /** Undefined if the path does not exist or cannot be opened. */
  #opened(path: string): number | undefined {
    const known = this.#open.get(path)
    if (known !== undefined) return known
    try {
      const file = openSync(path, 'r')
      this.#open.set(path, file)
      return file
    } catch (error) {
      if (UNOPENED.has((error as NodeJS.ErrnoException).code)) return undefined
      throw error
    }
  }
}
