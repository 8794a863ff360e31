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

export interface OpenFile {
  symbols: Promise<NativeSymbols>
  weight: number
  diskBytes: number
  /** The number of lookups in progress. An evicted file is closed when its last lookup ends. */
  users: number
  isDropped: boolean
}

/** Keeps native files open for later requests if the cache has room. The least recently used files are closed first. */
export class OpenFiles {
  readonly #files = new Map<string, OpenFile>()
  readonly #kept: WeightedCache<OpenFile>

  constructor(kept: WeightedCache<OpenFile>) {
    this.#kept = kept
  }

  /** @throws the error from `open` or `use`. After an error, the file is not kept open. */
  async use<T>(key: string, open: () => Promise<NativeSymbols>, use: (symbols: NativeSymbols) => T): Promise<T> {
    const known = this.#kept.get(key)
    const file = known ?? { symbols: open(), weight: FILE_BYTES, diskBytes: 0, users: 0, isDropped: false }
    file.users++
    this.#files.delete(key)
    this.#files.set(key, file)
    if (!known) this.#kept.set(key, file, file.weight, () => void this.#drop(key, file))
    try {
      for (const oldest of this.#files.keys()) if (this.#files.size > MAX_OPEN) this.#kept.delete(oldest)
      const symbols = await file.symbols
      file.diskBytes = symbols.diskBytes
      this.#limitDisk()
      const result = use(symbols)
      this.#weigh(key, file, FILE_BYTES + symbols.weight)
      return result
    } catch (error) {
      if (!file.isDropped) this.#kept.delete(key)
      throw error
    } finally {
      file.users--
      if (file.isDropped) await this.#drop(key, file)
    }
  }

  /** Limits the disk space, because compressed sections of a few megabytes can inflate to gigabytes. */
  #limitDisk(): void {
    let bytes = 0
    for (const { diskBytes } of this.#files.values()) bytes += diskBytes
    for (const [oldest, { diskBytes }] of this.#files) {
      if (bytes <= MAX_DISK_BYTES || this.#files.size === 1) return
      bytes -= diskBytes
      this.#kept.delete(oldest)
    }
  }

  #weigh(key: string, file: OpenFile, weight: number): void {
    const change = weight - file.weight
    file.weight = weight
    if (!file.isDropped) this.#kept.reweigh(key, change)
  }

  async #drop(key: string, file: OpenFile): Promise<void> {
    if (this.#files.get(key) === file) this.#files.delete(key)
    file.isDropped = true
    if (file.users === 0) (await file.symbols.catch(() => undefined))?.close()
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
