import { closeSync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { syncData } from '@symup/core/internal'

/** For files, syncing the data is enough. A directory needs a full sync, because its names are its data. */
const SYNC = { file: syncData, directory: promisify(fsync) }

/** Error codes for paths that are missing or cannot be opened or synced. Windows and some file systems cannot sync directories. */
const IGNORED: ReadonlySet<string | undefined> = new Set([
  ...['ENOENT', 'EISDIR', 'EPERM', 'EACCES'],
  ...['EINVAL', 'EBADF', 'ENOTSUP', 'ENOSYS'],
])

/**
 * Waits until files and directories are on disk. A file is durable once its data is synced, and a new name once its directory is synced.
 * Concurrent requests for the same path share one sync.
 */
export class SharedSync {
  readonly #wait: (file: number) => Promise<void>
  /** `#latest` contains the latest sync for each path, and `#next` the sync that has not started yet. */
  readonly #latest = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

  constructor(kind: keyof typeof SYNC) {
    this.#wait = SYNC[kind]
  }

  /**
   * Resolves when everything written before the call is on disk.
   * @throws the file system's error if the path cannot be opened.
   */
  sync(path: string): Promise<void> {
    // A running sync may have started before the write. A pending sync serves all callers until it starts.
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
