import { closeSync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { syncData } from '@symup/core/internal'

/** Files need only a data sync. Directories need a full sync. */
const SYNC = { file: syncData, directory: promisify(fsync) }

/** Error codes for paths that do not exist or that cannot be opened or synced. Windows and some file systems cannot sync directories. */
const IGNORED: ReadonlySet<string | undefined> = new Set([
  ...['ENOENT', 'EISDIR', 'EPERM', 'EACCES'],
  ...['EINVAL', 'EBADF', 'ENOTSUP', 'ENOSYS'],
])

/**
 * Waits until files and directories are on disk. A file is durable after its data has been synced. The file's name is durable after the
 * directory has been synced. Concurrent calls for the same path share a sync.
 */
export class SharedSync {
  readonly #wait: (file: number) => Promise<void>
  /** `#latest` contains the last requested sync for each path, and `#next` contains the sync that has not started yet. */
  readonly #latest = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

  constructor(kind: keyof typeof SYNC) {
    this.#wait = SYNC[kind]
  }

  /**
   * Resolves when all data that was written before the call is on disk.
   * @throws file system errors if the path cannot be opened.
   */
  sync(path: string): Promise<void> {
    // A running sync may have started before the data was written. A pending sync includes all data that was written before it starts.
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
