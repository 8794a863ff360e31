import { join } from 'node:path'
import { withBinary } from '../../formats/binary.ts'
import { SYMBOL_MAP_HEADER, symbolMapUuid } from './names.ts'

const MAX_PLIST_BYTES = 64 * 1024

/**
 * Finds BCSymbolMaps by the UUID in their names. A BCSymbolMap contains the names that Xcode replaced with placeholders such as
 * `__hidden#12_` in bitcode builds.
 */
export class SymbolMaps {
  readonly #paths = new Map<string, string>()

  constructor(files: readonly string[]) {
    for (const file of files) {
      const uuid = symbolMapUuid(file)
      if (uuid !== undefined) this.#paths.set(uuid, file)
    }
  }

  /**
   * Returns the BCSymbolMap of an image. If Apple compiled the image from bitcode, the image has a new UUID. The original UUID is then in
   * the `.dSYM`.
   * @param bundle the path of the `.dSYM`.
   */
  of(uuid: string, bundle: string): string | undefined {
    const path = this.#paths.get(uuid) ?? this.#paths.get(originalUuid(uuid, bundle) ?? '')
    return path !== undefined && head(path, SYMBOL_MAP_HEADER.length) === SYMBOL_MAP_HEADER ? path : undefined
  }
}

/** Reads `DBGOriginalUUID` from `Contents/Resources/<UUID>.plist`. */
function originalUuid(uuid: string, bundle: string): string | undefined {
  const text = head(join(bundle, 'Contents/Resources', `${uuid}.plist`), MAX_PLIST_BYTES) ?? ''
  return /<key>DBGOriginalUUID<\/key>\s*<string>([0-9a-f-]{36})<\/string>/i.exec(text)?.[1]?.toUpperCase()
}

function head(path: string, bytes: number): string | undefined {
  try {
    return withBinary(path, (file) => file.read(0, bytes).toString())
  } catch {
    return undefined
  }
}
