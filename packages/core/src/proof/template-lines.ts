import { SEGMENT } from '../formats/source-map/mapping-decoder.ts'
import type { MapFile } from './map-file.ts'
import { SourceTexts, VUE } from './source-texts.ts'

/**
 * Finds mappings past the end of their line in the template of a Vue component, while mappings are streamed. Vue maps a multi-line
 * expression as if it were all on its first line, so positions of later lines are past that line's end.
 */
export class TemplateLines {
  /** By the source: the original positions, `line:column`, 1-based. */
  readonly found = new Map<number, Set<string>>()
  /** Whether there is any component to look at. */
  readonly isNeeded: boolean
  readonly #texts: SourceTexts
  readonly #isLooked: readonly boolean[]
  readonly #templates = new Map<number, Template | undefined>()

  /** @param isOwn for each source whether it is the app's own: others are not looked at. */
  constructor(map: MapFile, names: readonly string[], isOwn: readonly boolean[]) {
    this.#texts = new SourceTexts(map)
    this.#isLooked = names.map((name, source) => isOwn[source] === true && VUE.test(name))
    this.isNeeded = this.#isLooked.includes(true)
  }

  take(segments: Int32Array, count: number): void {
    for (let at = 0; at < count * SEGMENT; at += SEGMENT) {
      const source = segments[at + 2] as number
      if (!this.#isLooked[source]) continue
      const [line, column] = [segments[at + 3] as number, segments[at + 4] as number]
      const template = this.#templateOf(source)
      const length = template?.lengths[line - template.from]
      if (length === undefined || column <= length) continue
      const positions = this.found.get(source) ?? new Set()
      this.found.set(source, positions.add(positionOf(line, column)))
    }
  }

  has(source: number, line: number, column: number): boolean {
    return this.found.get(source)?.has(positionOf(line, column)) ?? false
  }

  #templateOf(source: number): Template | undefined {
    if (!this.#templates.has(source)) this.#templates.set(source, this.#read(source))
    return this.#templates.get(source)
  }

  #read(source: number): Template | undefined {
    const lines = this.#texts.templateOf(source)
    // For a template in another language, Vue maps the compiled HTML.
    if (lines && LANGUAGE.test(this.#texts.textOfLines(source, { from: lines.from, to: lines.from }))) return undefined
    return lines && { from: lines.from, lengths: this.#texts.lengthsOfLines(source, lines) }
  }
}

const LANGUAGE = /<template\b[^>]*\slang=/

interface Template {
  /** Its first line, 0-based. */
  from: number
  /** Of each line. */
  lengths: number[]
}

/** An original position, 0-based, as people count it. */
export function positionOf(line: number, column: number): string {
  return `${line + 1}:${column + 1}`
}
