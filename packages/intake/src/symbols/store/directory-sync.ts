import { closeSync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const sync = promisify(fsync)

/** Whether it is not there, or directories cannot be opened here, as on Windows. */
const UNOPENED: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EISDIR', 'EPERM', 'EACCES'])

/**
 * A new name in a directory is durable only when the directory is. Keeps each directory open until the end, for a few hundred of them; and asks once
 * for all that wait for the same one.
 */
export class DirectorySync {
  readonly #open = new Map<string, number>()
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

  /** Returns when everything that was in the directory at the call is on the disk. @throws the file system's error where it cannot be opened. */
  sync(directory: string): Promise<void> {
    // One that is under way may have begun before the name was there; one that has not begun serves all who ask until then.
    const waiting = this.#next.get(directory)
    if (waiting) return waiting
    const before = this.#underWay.get(directory)
    if (!before) return this.#begin(directory)
    const begin = () => {
      this.#next.delete(directory)
      return this.#begin(directory)
    }
    const next = before.then(begin, begin)
    this.#next.set(directory, next)
    return next
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file)
    this.#open.clear()
  }

  async #begin(directory: string): Promise<void> {
    const done = this.#sync(directory)
    this.#underWay.set(directory, done)
    try {
      await done
    } finally {
      if (this.#underWay.get(directory) === done) this.#underWay.delete(directory)
    }
  }

  async #sync(directory: string): Promise<void> {
    const file = this.#opened(directory)
    if (file === undefined) return
    try {
      await sync(file)
    } catch {
      // Some file systems cannot sync a directory; they have nothing better to offer.
    }
  }

  /** undefined where there is none, or the system opens none. */
  #opened(directory: string): number | undefined {
    const known = this.#open.get(directory)
    if (known !== undefined) return known
    try {
      const file = openSync(directory, 'r')
      this.#open.set(directory, file)
      return file
    } catch (error) {
      if (UNOPENED.has((error as NodeJS.ErrnoException).code)) return undefined
      throw error
    }
  }
}
