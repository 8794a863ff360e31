import { withoutLiterals } from '../formats/javascript/code.ts'
import { SEGMENT } from '../formats/source-map/mapping-decoder.ts'
import { walkMappings } from '../formats/source-map/walk.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import { SourceTexts, VUE } from './source-texts.ts'
import { textOf } from './stretch-text.ts'

const MEMBER = /\.([A-Za-z_$][\w$]+)/g
const WORD = /[\w$]+/g
/** One member may belong to another module by chance. */
const MIN_MEMBERS = 2

/**
 * The app's own Vue components with an unmapped template, although code generated from it follows their last mapping. Vue before 3.5.14
 * does not map a template compiled into `<script setup>`, so its stacks lead to the script's end.
 */
export function unmappedTemplates({
  map,
  script,
  coverage,
  isOwn,
  names,
}: Pick<ScriptEvidence, 'map' | 'script' | 'coverage' | 'isOwn' | 'names'>): ReadonlySet<number> {
  const texts = new SourceTexts(map)
  const templates = new Map<number, Template | undefined>()
  const found = new Map<number, Template>()
  for (const tail of coverage.tails) {
    const { source } = tail
    if (found.has(source) || !isOwn[source] || !VUE.test(names[source] ?? '')) continue
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
  /** Properties in code after the source's last mapping that the template also contains. */
  members: number
}

function templateOf(texts: SourceTexts, source: number): Template | undefined {
  const lines = texts.templateOf(source)
  return lines && { ...lines, words: new Set(texts.textOfLines(source, lines).match(WORD)), members: 0 }
}
