import { openBinary } from '@symup/core/internal'
import type { NativeArtifact } from '../../artifacts.ts'
import { companionsOf } from '../../dwarf/companions.ts'
import { HiddenNames } from '../../dwarf/hidden-names.ts'
import type { NativeSymbols } from '../../dwarf/native-frame.ts'
import { openNativeSymbols } from '../../open-native-symbols.ts'

/** Files kept open between calls. */
const MAX_OPEN = 8

interface OpenFile {
  symbols: Promise<NativeSymbols>
  /** Lookups under way: a file is closed when it is dropped and nobody uses it any more. */
  users: number
  isDropped: boolean
}

/** Native files that stay open for the next question, the least recently used are closed first. */
export class OpenFiles {
  readonly #files = new Map<string, OpenFile>()

  /** @throws what opening or using it throws; then it is not kept. */
  async use<T>(key: string, open: () => Promise<NativeSymbols>, use: (symbols: NativeSymbols) => T): Promise<T> {
    const file = this.#files.get(key) ?? { symbols: open(), users: 0, isDropped: false }
    this.#files.delete(key)
    this.#files.set(key, file)
    file.users++
    try {
      for (const [oldest, other] of this.#files) if (this.#files.size > MAX_OPEN) await this.#drop(oldest, other)
      return use(await file.symbols)
    } catch (error) {
      file.isDropped = true
      throw error
    } finally {
      file.users--
      if (file.isDropped) await this.#drop(key, file)
    }
  }

  async #drop(key: string, file: OpenFile): Promise<void> {
    if (this.#files.get(key) === file) this.#files.delete(key)
    file.isDropped = true
    if (file.users === 0) (await file.symbols.catch(() => undefined))?.close()
  }
}

/** @throws BinaryError when the file is damaged. */
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
