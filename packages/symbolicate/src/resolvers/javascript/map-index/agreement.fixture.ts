import assert from 'node:assert/strict'
import { AnyMap, originalPositionFor, sourceContentFor } from '@jridgewell/trace-mapping'
import { MemoryBytes, readLayout, SourceMapFlaw, sourceMapJson } from '@symup/core/resolving'
import type { Random } from '../../../../../../test/support/random.ts'
import { walkMappings } from '../../../../../core/src/formats/source-map/walk.ts'
import { WeightedCache } from '../../../cache.ts'
import { SourceMap } from '../source-map.ts'
import { buildIndex } from './build-index.ts'
import { IndexReader } from './format.ts'

/**
 * Compares look-ups through an index with small blocks to trace-mapping's.
 * @returns whether the map can be read.
 * @throws AssertionError if the answers differ.
 */
export function agreement(bytes: Buffer, random: Random): boolean {
  const map = new MemoryBytes(bytes)
  const blockBytes = 1 + random(100)
  const index = new IndexReader(new MemoryBytes(buildIndex(map, undefined, { blockBytes })))
  const layout = readLayout(map, { strict: true })
  const flaw = layout instanceof SourceMapFlaw ? layout : walkMappings(map, layout, () => true)
  if (index.facts.flaw !== undefined) {
    assert(flaw, index.facts.flaw)
    return false
  }
  // trace-mapping's answers are useless for references outside the lists, and for fields of the wrong type.
  if (flaw) return false
  const theirs = traced(bytes)
  if (!theirs) return false
  const ours = new SourceMap(index, map, new WeightedCache(1e6))
  for (let nth = 0; nth < 60; nth++) {
    const line = 1 + random(12)
    const column = random(random(2) === 0 ? 30 : 3000)
    const { source, name, ...expected } = originalPositionFor(theirs, { line, column })
    const found = ours.originalAt(line, column + 1)
    const place = `${line}:${column}`
    if (source === null) {
      assert.deepEqual([place, found], [place, undefined])
      continue
    }
    const own = { source: found?.source, line: found?.line, column: Number(found?.column) - 1, name: found?.name }
    assert.deepEqual({ place, ...own }, { place, source, ...expected, name: name ?? undefined })
    // trace-mapping finds texts by source name, and the first one if names repeat.
    const isOnly = [...theirs.resolvedSources, ...theirs.sources].every(
      (it, at) => it !== source || at % theirs.sources.length === found?.sourceNumber,
    )
    if (!found || !isOnly) continue
    const text: string | null = theirs.sourcesContent ? sourceContentFor(theirs, source) : null
    assert.equal(ours.sourceText(found, { line, column })?.lineFrom(1), text?.split(/\r\n|[\n\r\u2028\u2029]/)[0])
  }
  return true
}

function traced(bytes: Buffer) {
  const json = JSON.parse(sourceMapJson(bytes.toString('utf8')))
  // trace-mapping misreads empty segments, and fails on fields of the wrong type.
  const isPlain = (map: Record<string, unknown>): boolean =>
    Array.isArray(map.sections)
      ? map.sections.every((section) => isPlain(section.map))
      : Array.isArray(map.sources) &&
        Array.isArray(map.names) &&
        // trace-mapping concatenates the texts of sections, even if there are fewer texts than sources.
        (map.sourcesContent === undefined ||
          (Array.isArray(map.sourcesContent) && map.sourcesContent.length === map.sources.length)) &&
        (map.sourceRoot === undefined || typeof map.sourceRoot === 'string') &&
        (map.ignoreList === undefined || Array.isArray(map.ignoreList)) &&
        !/(?:^|[,;]),|,(?:;|$)/.test(String(map.mappings))
  return isPlain(json) ? new AnyMap(json) : undefined
}
