import { type Agreement, compareAll, isOnLine } from './compare.ts'
import type { Place } from './places.ts'
import type { ScriptEvidence } from './script-evidence.ts'
import { positionOf } from './source-counts.ts'

const OTHER_LINE: ReadonlySet<Agreement> = new Set(['later', 'absent'])

/** Methods and properties of built-in objects, which compiler helpers also use. */
const OF_LANGUAGE: ReadonlySet<string> = new Set(
  [Array, Function, Map, Object, Promise, RegExp, Set, String].flatMap((type) => [
    ...Object.getOwnPropertyNames(type),
    ...Object.getOwnPropertyNames(type.prototype),
  ]),
)

/**
 * Finds property names that are mapped to the wrong line, although the same name is mapped correctly at another position. If a compiler
 * copies a name without a mapping, for example to check whether a value changed, the preceding mapping applies to the copy. Shared mappings
 * are excluded.
 */
export function misplacedNames(
  own: readonly number[],
  places: readonly Place[],
  agreements: readonly Agreement[],
): number[] {
  const right = rightNames(own, places, agreements)
  return own.filter(
    (index) => !isOnLine(agreements[index]) && !places[index]?.isShared && right.has(nameOf(places[index])),
  )
}

/**
 * Like {@link misplacedNames}, but for names that share a mapping with other code. These names are rare, so all of them are compared.
 * @returns the original positions of the misplaced names as one-based `line:column` strings, grouped by source.
 */
export function misplacedUnmappedNames({ texts, names, isOwn, unmappedNames }: ScriptEvidence): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const [index, agreement] of compareAll(texts, unmappedNames, names).entries()) {
    const place = unmappedNames[index] as Place
    const { source, word, originalLine, originalColumn } = place
    // A position past the end of its line does not indicate whether the line is right.
    if (!OTHER_LINE.has(agreement) || !isOwn[source] || nameOf(place) === '') continue
    const count = texts.count(source, { kind: 'property', word: `.${word}` })
    if (count === 0 || count === Number.POSITIVE_INFINITY) continue
    found.set(source, [...(found.get(source) ?? []), positionOf(originalLine, originalColumn)])
  }
  return found
}

function rightNames(own: readonly number[], places: readonly Place[], agreements: readonly Agreement[]): Set<string> {
  const found = new Set(own.filter((index) => agreements[index] === 'exact').map((index) => nameOf(places[index])))
  found.delete('')
  return found
}

/** Returns a string that identifies a name in its source, or an empty string if the name is not a handwritten property. */
function nameOf(place: Place | undefined): string {
  if (place?.kind !== 'property' || place.isAssigned || OF_LANGUAGE.has(place.word)) return ''
  return `${place.source} ${place.word}`
}
