import { SourceMapFlaw } from './flaw.ts'
import { type JsonKind, JsonScanner, type JsonVisitor } from './json-scanner.ts'

const [COMMA, SEMICOLON] = [0x2c, 0x3b]

/**
 * The verdict on a source map.
 * - `not-json`: The file is not a JSON object.
 * - `cut-short`: The JSON is truncated.
 * - `no-mappings`: `mappings` is missing or contains only `;`.
 * - `one-segment`: The whole script maps to one position, as in bundler modes that map only the lines of modules.
 */
export type SourceMapVerdict = 'usable' | 'not-json' | 'cut-short' | 'no-mappings' | 'one-segment'

/** Checks during a scan whether a source map is valid and maps any code. The sections of an index map are counted together. */
export class SourceMapScan {
  readonly #counter = new SegmentCounter()
  readonly #scanner = new JsonScanner(this.#counter)
  #flaw: SourceMapFlaw | undefined

  push(chunk: Buffer): void {
    if (!this.#flaw) this.#try(() => this.#scanner.push(chunk))
  }

  verdict(): SourceMapVerdict {
    if (!this.#flaw) this.#try(() => this.#scanner.end())
    if (this.#flaw) return this.#flaw.reason === 'cut-short' ? 'cut-short' : 'not-json'
    if (!this.#counter.isObject) return 'not-json'
    const { segments } = this.#counter
    return segments === 0 ? 'no-mappings' : segments === 1 ? 'one-segment' : 'usable'
  }

  #try(run: () => void): void {
    try {
      run()
    } catch (error) {
      if (!(error instanceof SourceMapFlaw)) throw error
      this.#flaw = error
    }
  }
}

/** Counts the segments in the map and in the maps of its sections, but stops at two. */
class SegmentCounter implements JsonVisitor {
  isObject = false
  segments = 0
  /** For each open container, whether the container is the list of sections. */
  readonly #isList: boolean[] = []
  #key = ''
  #isInside = false

  open(isArray: boolean): boolean {
    const inList = this.#isList.at(-1)
    if (inList === undefined) this.isObject = !isArray
    const isWanted = inList === false ? this.#key === (isArray ? 'sections' : 'map') : !isArray
    if (isWanted) this.#isList.push(isArray)
    return isWanted
  }

  close(): void {
    this.#isList.pop()
  }

  key(name: string): boolean {
    this.#key = name
    this.#isInside = false
    return name === 'mappings'
  }

  value(_: JsonKind): void {}

  text(piece: Buffer): void {
    for (let at = 0; at < piece.length && this.segments < 2; at++) {
      const byte = piece[at]
      const isSegment = byte !== SEMICOLON && byte !== COMMA
      if (isSegment && !this.#isInside) this.segments++
      this.#isInside = isSegment
    }
  }
}
