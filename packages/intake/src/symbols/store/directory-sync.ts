import { closeSync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const sync = promisify(fsync)

/**
 * A new name in a directory is durable only when the directory is. Keeps each directory open until the end, for a few hundred of them; and asks once
 * for all that wait for the same one.
 */
export class DirectorySync {
  readonly #open = new Map<string, number>()
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

  /** Returns when everything that was in the directory at the call is on the disk. */
  sync(directory: string): Promise<void> {
    // One that is under way may have begun before the name was there; one that has not begun serves all who ask until then.
    const waiting = this.#next.get(directory)
    if (waiting) return waiting
    const before = this.#underWay.get(directory)
    if (!before) return this.#begin(directory)
    const next = before.then(() => {
      this.#next.delete(directory)
      return this.#begin(directory)
    })
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
    await done
    if (this.#underWay.get(directory) === done) this.#underWay.delete(directory)
  }

  async #sync(directory: string): Promise<void> {
    try {
      await sync(this.#opened(directory))
    } catch {
      // Some systems cannot open a directory, some cannot sync it; they have nothing better to offer.
    }
  }

  #opened(directory: string): number {
    const known = this.#open.get(directory)
    if (known !== undefined) return known
    const file = openSync(directory, 'r')
    this.#open.set(directory, file)
    return file
  }
}
