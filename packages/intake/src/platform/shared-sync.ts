import { closeSync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { syncData } from '@symup/core/internal'

/** A file needs only its data synced. In a directory, the names are the data. */
const SYNC = { file: syncData, directory: promisify(fsync) }

/** The path is missing, or it cannot be opened or synced here. Directories on Windows and on some file systems cannot be. */
const IGNORED: ReadonlySet<string | undefined> = new Set([
  ...['ENOENT', 'EISDIR', 'EPERM', 'EACCES'],
  ...['EINVAL', 'EBADF', 'ENOTSUP', 'ENOSYS'],
])

/**
 * Waits until files and directories are on disk. A file is durable only with its data synced, and a new name only with its directory
 * synced. Concurrent requests for the same path share one sync.
 */
export class SharedSync {
  readonly #wait: (file: number) => Promise<void>
  /** The latest sync for each path, and the one that has not started yet. */
  readonly #latest = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

  constructor(kind: keyof typeof SYNC) {
    this.#wait = SYNC[kind]
  }

  /** Resolves when everything written before the call is on disk. @throws the file system's error if the path cannot be opened. */
  sync(path: string): Promise<void> {
    // A running sync may have started too early. A pending sync serves all callers until it starts.
    const waiting = this.#next.get(path)
    if (waiting) return waiting
    const begin = () => {
      this.#next.delete(path)
      return this.#sync(path)
    }
    const next = (this.#latest.get(path) ?? Promise.resolve()).then(begin, begin)
    this.#next.set(path, next)
    this.#latest.set(path, next)
    return next
  }

  async #sync(path: string): Promise<void> {
    let file: number | undefined
    try {
      file = openSync(path, 'r')
      await this.#wait(file)
    } catch (error) {
      if (!IGNORED.has((error as NodeJS.ErrnoException).code)) throw error
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }
}
