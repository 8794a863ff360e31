/** Matches the `wx` key that WeChat's tools write. The key is followed by a colon, unlike an entry `"wx"` in the `names` of a map. */
const [MARK, KEY] = [Buffer.from('"wx"'), /^"wx"\s{0,99}:/]
const KEY_BYTES = 128
/** The maximum size of the `wx` object, which also contains the developer's notes. */
const MAX_OBJECT_BYTES = 64 * 1024

/**
 * Finds the upload information that WeChat's tools write into each map, such as `"wx": {"userVersion": "1.0.2"}`, without parsing the map.
 * Quotes in the strings of a map are escaped, so the match is unambiguous.
 */
export class UserVersionScan {
  #carry: Buffer = Buffer.alloc(0)
  #found: Buffer | undefined

  push(chunk: Buffer): void {
    if (this.#found) {
      const left = MAX_OBJECT_BYTES - this.#found.length
      if (left > 0) this.#found = Buffer.concat([this.#found, chunk.subarray(0, left)])
      return
    }
    // The key may be split across two chunks.
    const bytes = Buffer.concat([this.#carry, chunk])
    for (let at = bytes.indexOf(MARK); at !== -1 && !this.#found; at = bytes.indexOf(MARK, at + 1))
      if (KEY.test(bytes.toString('latin1', at, at + KEY_BYTES)))
        this.#found = bytes.subarray(at, at + MAX_OBJECT_BYTES)
    this.#carry = bytes.subarray(-KEY_BYTES)
  }

  version(): string | undefined {
    const text = this.#found?.toString() ?? ''
    const [, quoted] =
      /^"wx"\s*:\s*\{(?:[^"}]|"(?:[^"\\]|\\.)*")*?"userVersion"\s*:\s*("(?:[^"\\]|\\.){1,200}")/.exec(text) ?? []
    try {
      return quoted && (JSON.parse(quoted) as string)
    } catch {
      return undefined
    }
  }
}
