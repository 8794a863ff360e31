import { openBinary } from '@symup/core/resolving'
import type { NativeArtifact } from '../../artifacts.ts'
import type { WeightedCache } from '../../cache.ts'
import { companionsOf } from '../../dwarf/companions.ts'
import { HiddenNames } from '../../dwarf/hidden-names.ts'
import type { NativeSymbols } from '../../dwarf/native-frame.ts'
import { openNativeSymbols } from '../../open-native-symbols.ts'

/** The maximum number of files to keep open between calls. Each open file uses a file descriptor. */
const MAX_OPEN = 32
/** The maximum total size of all temporary files. The most recent temporary file may exceed this limit. */
const MAX_DISK_BYTES = 4 * 1024 * 1024 * 1024
/** The approximate memory usage per open file in bytes, excluding its content. */
const FILE_BYTES = 100_000

/** Keeps native files open for later requests if the cache has room. The least recently used files are closed first. */
export class OpenFiles {
  /** The sizes of the temporary files of each open file. The least recently used file comes first. */
  readonly #diskBytes = new Map<string, number>()
  readonly #kept: WeightedCache<NativeSymbols>
  #closing: Promise<void> | undefined

  constructor(kept: WeightedCache<NativeSymbols>) {
    this.#kept = kept
  }

  /** @throws the error from `open` or `use`. After an error, the file is not kept open. */
  async use<T>(key: string, open: () => Promise<NativeSymbols>, use: (symbols: NativeSymbols) => T): Promise<T> {
    const symbols = await this.#kept.load(key, async () => {
      const value = await open()
      this.#diskBytes.set(key, value.diskBytes)
      return { value, weight: FILE_BYTES + value.weight, onGone: () => this.#close(key, value) }
    })
    this.#limitFiles(key)
    try {
      return use(symbols)
    } catch (error) {
      this.#kept.delete(key)
      throw error
    } finally {
      this.#kept.reweigh(key, FILE_BYTES + symbols.weight)
      await this.#closing
    }
  }

  /** Limits the disk space as well, because compressed sections of a few megabytes can inflate to gigabytes. */
  #limitFiles(key: string): void {
    const own = this.#diskBytes.get(key)
    if (own === undefined) return
    this.#diskBytes.delete(key)
    this.#diskBytes.set(key, own)
    let bytes = [...this.#diskBytes.values()].reduce((sum, each) => sum + each, 0)
    for (const [oldest, each] of this.#diskBytes) {
      if (oldest === key || (bytes <= MAX_DISK_BYTES && this.#diskBytes.size <= MAX_OPEN)) return
      bytes -= each
      this.#kept.delete(oldest)
    }
  }

  /** Closes a file after the lookups that are about to run. */
  #close(key: string, symbols: NativeSymbols): void {
    this.#diskBytes.delete(key)
    this.#closing = new Promise((done) => setImmediate(() => done(symbols.close())))
  }
}

/** @throws BinaryError if the file is damaged. */
export async function openArtifact(artifact: NativeArtifact, choice: { uuid?: string } = {}): Promise<NativeSymbols> {
  const source = artifact.open()
  try {
    const { builtAt, symbolMap } = artifact
    return await openNativeSymbols(source, {
      ...choice,
      ...(symbolMap !== undefined && { hiddenNames: readHiddenNames(symbolMap) }),
      ...(builtAt !== undefined && { companions: companionsOf(builtAt) }),
    })
  } catch (error) {
    source.close()
    throw error
  }
}

function readHiddenNames(path: string): HiddenNames {
  const map = openBinary(path)
  try {
    return new HiddenNames(map)
  } finally {
    map.close()
  }
}
