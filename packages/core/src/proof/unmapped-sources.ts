import type { Tail } from './coverage.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import type { ScriptFile } from './script-file.ts'
import { MAX_STRETCH, MIN_REST } from './thresholds.ts'
import { decoded, sitesIn, THROWN } from './unmapped-sites.ts'

/**
 * Finds code that follows a mapping of one source but contains words from app sources without any mappings. Words that also occur in other
 * sources are ignored. All code is read, because a large library may precede the app's own code.
 * @returns each stretch, and the number of calls and errors in it.
 */
export function codeOfUnmappedSources({
  script,
  texts,
  coverage,
  isOwn,
}: Pick<ScriptEvidence, 'script' | 'texts' | 'coverage' | 'isOwn'>): { stretch: Tail; sites: number }[] {
  const isUnmapped = (source: number) => isOwn[source] === true && !coverage.seen.has(source)
  const sources = [...isOwn.keys()]
  const unmapped = sources.filter(isUnmapped)
  if (unmapped.length === 0) return []
  const found = coverage.tails.map((stretch) => ({ stretch, words: wordsIn(script, stretch) }))
  const lost = texts.wordsIn(unmapped, new Set(found.flatMap(({ words }) => words)))
  const others = texts.wordsIn(
    sources.filter((source) => !isUnmapped(source)),
    lost,
  )
  for (const word of others) lost.delete(word)
  return found
    .map(({ stretch, words }) => ({ stretch, words: words.filter((word) => lost.has(word)) }))
    .filter(({ words }) => new Set(words).size >= MIN_REST)
    .map(({ stretch, words }) => ({ stretch, sites: words.length }))
}

function wordsIn(script: ScriptFile, { line, column, endLine, endColumn }: Tail): string[] {
  const [start, end] = [script.offsetOf(line, column), script.offsetOf(endLine, endColumn)]
  const words: string[] = []
  for (let from = start; from < end; from += MAX_STRETCH) {
    const text = script.latin1(from, Math.min(from + MAX_STRETCH, end))
    for (const { word } of sitesIn(text)) if (word !== 'throw' && word !== 'new') words.push(word)
    for (const { 1: word = '' } of text.matchAll(THROWN)) words.push(decoded(word))
  }
  return words
}
