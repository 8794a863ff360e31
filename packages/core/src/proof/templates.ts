import { withoutLiterals } from '../formats/javascript/code.ts'
import { SEGMENT } from '../formats/source-map/mapping-decoder.ts'
import { walkMappings } from '../formats/source-map/walk.ts'
import type { Coverage } from './coverage.ts'
import type { ScriptFile } from './script-file.ts'
import { positionOf } from './source-counts.ts'
import type { SourceTexts } from './source-texts.ts'
import { textOf } from './stretch-text.ts'
import { MIN_MEMBERS } from './thresholds.ts'
import { hasTemplate } from './tools/index.ts'

const MEMBER = /\.([A-Za-z_$][\w$]+)/g
const WORD = /[\w$]+/g

/**
 * Returns the app's own components whose template is unmapped. Code that was generated from the template follows the component's last
 * mapping.
 */
export function unmappedTemplates({
  texts,
  script,
  coverage,
  isOwn,
  names,
}: {
  texts: SourceTexts
  script: ScriptFile
  coverage: Pick<Coverage, 'tails'>
  isOwn: readonly boolean[]
  names: readonly string[]
}): ReadonlySet<number> {
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
  walkMappings(texts.map.bytes, texts.map.layout, (segments, count) => {
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
  from: number
  to: number
  words: ReadonlySet<string>
  /** The number of properties that occur in both the template and the code after the source's last mapping. */
  members: number
}

function templateOf(texts: SourceTexts, source: number): Template | undefined {
  const lines = texts.templateOf(source)
  return (
    lines && {
      ...lines,
      words: new Set(
        texts
          .linesOf(source)
          .slice(lines.from, lines.to + 1)
          .join('\n')
          .match(WORD),
      ),
      members: 0,
    }
  )
}

/**
 * Finds mappings into the template of a component that point past the end of their line. A compiler may map a multi-line template
 * expression as if all of it were on its first line. Positions on later lines then point past the end of the first line.
 */
export class TemplateLines {
  /** The original positions (`line:column`, one-based) in each source. */
  readonly found = new Map<number, Set<string>>()
  readonly isNeeded: boolean
  readonly #templates: ReadonlyMap<number, Lines>

  /**
   * Reads the templates in advance, because the map cannot be read while its mappings are being decoded.
   * @param isOwn whether each source belongs to the app. Sources from libraries are ignored.
   */
  constructor(texts: SourceTexts, names: readonly string[], isOwn: readonly boolean[]) {
    this.#templates = new Map(
      names.flatMap((name, source) => {
        const lines = isOwn[source] && hasTemplate(name) ? linesOfTemplate(texts, source) : undefined
        return lines ? [[source, lines] as const] : []
      }),
    )
    this.isNeeded = this.#templates.size > 0
  }

  take(segments: Int32Array, count: number): void {
    for (let at = 0; at < count * SEGMENT; at += SEGMENT) {
      const source = segments[at + 2] as number
      const template = this.#templates.get(source)
      const [line, column] = [segments[at + 3] as number, segments[at + 4] as number]
      const length = template?.lengths[line - template.from]
      if (length === undefined || column <= length) continue
      const positions = this.found.get(source) ?? new Set()
      this.found.set(source, positions.add(positionOf(line, column)))
    }
  }
}

const LANGUAGE = /<template\b[^>]*\slang=/

interface Lines {
  from: number
  lengths: number[]
}

function linesOfTemplate(texts: SourceTexts, source: number): Lines | undefined {
  const template = texts.templateOf(source)
  if (!template) return undefined
  const { from, to } = template
  const lines = texts.linesOf(source).slice(from, to + 1)
  // If a template is written in another language, mappings point to the output of that language's compiler.
  return LANGUAGE.test(lines[0] ?? '') ? undefined : { from, lengths: lines.map(({ length }) => length) }
}
