const MARK = Buffer.from('"wx"')
/** The notes that a developer gives with an upload stand in the same object. */
const MAX_OBJECT_BYTES = 64 * 1024

/**
 * Finds what WeChat's tools write into each map about the upload that the map is of, without parsing it: `"wx": {"userVersion": "1.0.2"}`.
 * In a string of the map these quotes would be escaped, so the text stands for itself.
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
    // The mark may lie across the border of two chunks.
    const border = Buffer.concat([this.#carry, chunk.subarray(0, MARK.length - 1)])
    const bytes = border.includes(MARK) ? Buffer.concat([this.#carry, chunk]) : chunk
    const at = bytes.indexOf(MARK)
    if (at !== -1) this.#found = bytes.subarray(at, at + MAX_OBJECT_BYTES)
    this.#carry = (chunk.length < MARK.length ? border : chunk).subarray(1 - MARK.length)
  }

  /** The version that the developer gave, when the map says so. */
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
