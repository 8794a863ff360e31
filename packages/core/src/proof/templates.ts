import { withoutLiterals } from '../formats/javascript/code.ts'
import { SEGMENT } from '../formats/source-map/mapping-decoder.ts'
import { walkMappings } from '../formats/source-map/walk.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import { SourceTexts } from './source-texts.ts'
import { textOf } from './stretch-text.ts'

const VUE = /\.vue(?:$|\?)/
const MEMBER = /\.([A-Za-z_$][\w$]+)/g
/** One may be another module's, by chance. */
const MIN_MEMBERS = 2

/**
 * The app's own Vue components of which no mapping leads into the template, although code made of it stands behind their last mapping: Vue before 3.5.14 makes no map of the template where it
 * is compiled into `<script setup>`, so its stacks lead to the script's end.
 */
export function unmappedTemplates({
  map,
  script,
  coverage,
  isOwn,
  names,
}: Pick<ScriptEvidence, 'map' | 'script' | 'coverage' | 'isOwn' | 'names'>): ReadonlySet<number> {
  const texts = new SourceTexts(map)
  const templates = new Map<number, Template>()
  for (const tail of coverage.tails) {
    const { source } = tail
    if (!isOwn[source] || !VUE.test(names[source] ?? '')) continue
    const template = templates.get(source) ?? templateOf(texts, source)
    if (!template) continue
    templates.set(source, template)
    for (const { 1: word = '' } of withoutLiterals(textOf(script, tail)).matchAll(MEMBER))
      if (template.text.includes(word)) template.members++
  }
  const found = new Map([...templates].filter(([, { members }]) => members >= MIN_MEMBERS))
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
  /** Its lines, 0-based. */
  from: number
  to: number
  text: string
  /** Properties in code behind the source's last mapping that it has too. */
  members: number
}

function templateOf(texts: SourceTexts, source: number): Template | undefined {
  const lines = texts.templateOf(source)
  return lines && { ...lines, text: texts.textOfLines(source, lines), members: 0 }
}
