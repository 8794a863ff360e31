import { withoutLiterals } from '../formats/javascript/code.ts'
import { SEGMENT } from '../formats/source-map/mapping-decoder.ts'
import { walkMappings } from '../formats/source-map/walk.ts'
import type { Coverage } from './coverage.ts'
import type { MapFile } from './map-file.ts'
import type { ScriptFile } from './script-file.ts'
import { positionOf } from './source-counts.ts'
import { SourceTexts } from './source-texts.ts'
import { textOf } from './stretch-text.ts'
import { MIN_MEMBERS } from './thresholds.ts'
import { hasTemplate } from './tools/index.ts'

const MEMBER = /\.([A-Za-z_$][\w$]+)/g
const WORD = /[\w$]+/g

/** The app's own components whose template is unmapped, although code generated from it follows their last mapping. */
export function unmappedTemplates({
  map,
  script,
  coverage,
  isOwn,
  names,
}: {
  map: MapFile
  script: ScriptFile
  coverage: Pick<Coverage, 'tails'>
  isOwn: readonly boolean[]
  names: readonly string[]
}): ReadonlySet<number> {
  const texts = new SourceTexts(map)
  const templates = new Map<number, Template | undefined>()
  const found = new Map<number, Template>()
  for (const tail of coverage.tails) {
    const { source } = tail
    if (found.has(source) || !isOwn[source] || !hasTemplate(names[source] ?? '')) continue
    if (!templates.has(source)) templates.set(source, templateOf(texts, source))
    const template = templates.get(source)
    if (!template) continue
    for (const { 1: word = '' } of withoutLiterals(textOf(script, tail)).matchAll(MEMBER))
      if (template.words.has(word)) template.members++
    if (template.members >= MIN_MEMBERS) found.set(source, template)
  }
  if (found.size === 0) return new Set()
  walkMappings(map.bytes, map.layout, (segments, count) => {
    for (let at = 0; at < count * SEGMENT; at += SEGMENT) {
      const template = found.get(segments[at + 2] as number)
      const line = segments[at + 3] as number
      if (template && line >= template.from && line <= template.to) found.delete(segments[at + 2] as number)
    }
    return found.size > 0
  })
  return new Set(found.keys())
}

interface Template {
  /** Lines of the template, 0-based. */
  from: number
  to: number
  words: ReadonlySet<string>
  /** Properties in code after the source's last mapping that are also in the template. */
  members: number
}

function templateOf(texts: SourceTexts, source: number): Template | undefined {
  const lines = texts.templateOf(source)
  return lines && { ...lines, words: new Set(texts.textOfLines(source, lines).match(WORD)), members: 0 }
}

/**
 * Finds mappings that point past the end of their line in the template of a component, during a walk over the mappings.
 * A compiler may map a multi-line expression as if all of it were on its first line. Every position on a later line is
 * then mapped past the end of the first line.
 */
export class TemplateLines {
  /** Original positions by source, `line:column`, 1-based. */
  readonly found = new Map<number, Set<string>>()
  /** Whether there is any component to examine. */
  readonly isNeeded: boolean
  readonly #texts: SourceTexts
  readonly #isLooked: readonly boolean[]
  readonly #templates = new Map<number, Lines | undefined>()

  /** @param isOwn whether each source is the app's own. Other sources are not examined. */
  constructor(map: MapFile, names: readonly string[], isOwn: readonly boolean[]) {
    this.#texts = new SourceTexts(map)
    this.#isLooked = names.map((name, source) => isOwn[source] === true && hasTemplate(name))
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

  #templateOf(source: number): Lines | undefined {
    if (!this.#templates.has(source)) this.#templates.set(source, this.#read(source))
    return this.#templates.get(source)
  }

  #read(source: number): Lines | undefined {
    const lines = this.#texts.templateOf(source)
    // For a template in another language, mappings point to the output of its compiler.
    if (lines && LANGUAGE.test(this.#texts.textOfLines(source, { from: lines.from, to: lines.from }))) return undefined
    return lines && { from: lines.from, lengths: this.#texts.lengthsOfLines(source, lines) }
  }
}

const LANGUAGE = /<template\b[^>]*\slang=/

interface Lines {
  /** First line of the template, 0-based. */
  from: number
  /** Length of each line. */
  lengths: number[]
}
