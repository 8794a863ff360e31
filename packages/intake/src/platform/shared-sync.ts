import { closeSync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { syncData } from '@symup/core/internal'

/** Of a file its bytes count; of a directory its names, which are all that it is. */
const SYNC = { file: syncData, directory: promisify(fsync) }

/** It is not there, or directories cannot be opened here, as on Windows. */
const UNOPENED: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EISDIR', 'EPERM', 'EACCES'])
/** The file system has no such thing. */
const UNSYNCED: ReadonlySet<string | undefined> = new Set(['EINVAL', 'EBADF', 'EPERM', 'ENOTSUP', 'ENOSYS'])

/**
 * What was written is durable only when the disk has it; a new name, when the directory is there. Waits for that once for all who ask for the same
 * file or directory. Keeps each open until the end, for a few hundred of them.
 */
export class SharedSync {
  readonly #wait: (file: number) => Promise<void>
  readonly #open = new Map<string, number>()
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

  constructor(kind: keyof typeof SYNC) {
    this.#wait = SYNC[kind]
  }

  /** Returns when everything that was there at the call is on the disk. @throws the file system's error where it cannot be opened. */
  sync(path: string): Promise<void> {
    // One that is under way may have begun too early; one that has not begun serves all who ask until then.
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
      // Some file systems cannot sync a directory; they have nothing better to offer.
      if (UNSYNCED.has((error as NodeJS.ErrnoException).code)) return
      throw error
    }
  }

  /** undefined where there is none, or the system opens none. */
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
