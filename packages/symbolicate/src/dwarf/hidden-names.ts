import { BinaryError, type BinarySource, SYMBOL_MAP_HEADER } from '@symup/core/resolving'

/** The maximum size of a BCSymbolMap in bytes. The BCSymbolMaps of the largest apps are several dozen MB in size. */
const MAX_BYTES = 128 * 1024 * 1024
const MAX_NAMES = 4_000_000
const HIDDEN = /^__hidden#(\d{1,9})_$/
const NEW_LINE = 0x0a

export const isHiddenName = (name: string): boolean => HIDDEN.test(name)

/**
 * The names that Xcode replaced in a bitcode build. The original name of `__hidden#12_` is on the thirteenth line after the BCSymbolMap
 * header.
 */
export class HiddenNames {
  readonly #bytes: Buffer
  readonly #starts: number[] = []

  /** @throws BinaryError if the file is not a BCSymbolMap. */
  constructor(map: BinarySource) {
    if (map.size > MAX_BYTES) throw new BinaryError('damaged', 'The BCSymbolMap is too large.')
    this.#bytes = map.read(0, map.size)
    if (this.#bytes.toString('latin1', 0, SYMBOL_MAP_HEADER.length) !== SYMBOL_MAP_HEADER)
      throw new BinaryError('other-format', 'The version of the BCSymbolMap is not 2.0.')
    for (let at = this.#bytes.indexOf(NEW_LINE); at !== -1; at = this.#bytes.indexOf(NEW_LINE, at + 1)) {
      if (this.#starts.push(at + 1) > MAX_NAMES) throw new BinaryError('damaged', 'The BCSymbolMap is too large.')
    }
  }

  /** Returns the original name. If the name is not hidden or the map does not contain it, the name is returned unchanged. */
  nameOf(name: string): string {
    const line = Number(HIDDEN.exec(name)?.[1] ?? Number.NaN)
    const start = this.#starts[line]
    if (start === undefined || start === this.#bytes.length) return name
    const end = (this.#starts[line + 1] ?? this.#bytes.length + 1) - 1
    return this.#bytes.toString('utf8', start, end).replace(/\r$/, '') || name
  }
}
