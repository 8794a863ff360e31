import { decodedSource, fileNameOf, withoutQuery } from '../files/url-path.ts'
import { contentOf } from '../formats/source-map/text.ts'
import type { MapFile } from './map-file.ts'
import { shownSource } from './sources.ts'
import { DATA_TAIL, MAX_DATA_URL, MAX_SOURCE_TEXT, NAMED_TAIL } from './thresholds.ts'

const BASE64 = /^[\w+/=]+$/
const COMMENT = '//# sourceMappingURL=data:'

/**
 * Finds sources whose text in the map ends with an inline source map. Such a text is the output of a tool, for example a script that a
 * compiler extracted from a page. Bundlers follow the inline map but keep the tool's output as the text, so the positions cannot be
 * compared.
 */
export function textsWithMaps(map: MapFile, sources: Iterable<number>): Set<number> {
  return new Set([...sources].filter((source) => inlineMap(map, source) !== undefined))
}

function inlineMap({ bytes, layout }: MapFile, source: number): string | undefined {
  const range = contentOf(layout, source)
  if (!range || range.end - range.start < COMMENT.length + DATA_TAIL) return undefined
  const tail = bytes.read(range.end - DATA_TAIL, DATA_TAIL).toString('latin1')
  if (!BASE64.test(tail.replace(/(?:\\[rn]|\s)+$/, ''))) return undefined
  const from = Math.max(range.start, range.end - MAX_SOURCE_TEXT)
  const text = bytes.read(from, range.end - from)
  const at = text.lastIndexOf(COMMENT)
  return at === -1 ? undefined : text.toString('latin1', at, at + MAX_DATA_URL)
}

/** Matches a comment with the name of a source map file at the end of an undecoded JSON string. The pattern never matches a `data:` URL. */
const NAMED = /(?:^|\\[nr])\/\/[#@] ?sourceMappingURL=(?:[^\s\\"]*\/)?([^\s\\"/]+)\.map(?:\\[nrt]|\s)*$/
/** Matches only a complete list. In a truncated list, the name may be in the missing part. */
const SOURCES = /"sources":\s*\[\s*((?:"[^"\\]*"\s*(?:,\s*)?)+)\]/

/**
 * Finds sources whose text in the map is the output of a compiler. The output has its own map, which the bundler did not read, so stacks
 * resolve to lines in the output. Minified libraries that were copied into the app are excluded, because their sources are not available.
 */
export function compiledSources(map: MapFile, names: readonly string[], sources: Iterable<number>): Set<number> {
  const found = [...sources].filter((source) => {
    const name = withoutQuery(fileNameOf(shownSource(names[source] ?? '')))
    return name !== '' && !name.includes('.min.') && (hasNamedMap(map, source, name) || hasInlineMap(map, source, name))
  })
  return new Set(found)
}

function hasNamedMap({ bytes, layout }: MapFile, source: number, name: string): boolean {
  const range = contentOf(layout, source)
  if (!range) return false
  const from = Math.max(range.start, range.end - NAMED_TAIL)
  const text = bytes.read(from, range.end - from)
  const mapped = text.includes('sourceMappingURL=') ? NAMED.exec(text.toString())?.[1] : undefined
  return mapped === name || mapped === encodeURIComponent(name)
}

/**
 * Returns whether a source has an inline map that the bundler did not read. Bundlers that read an inline map also take the source names
 * from it.
 */
function hasInlineMap(map: MapFile, source: number, name: string): boolean {
  const [, data] = /;base64,([\w+/]+)/.exec(inlineMap(map, source) ?? '') ?? []
  const [, listed] = SOURCES.exec(data === undefined ? '' : Buffer.from(data, 'base64').toString()) ?? []
  // Some tools write an empty name for an unknown source, so empty names are ignored.
  const others = (listed ?? '').split('"').filter((other, nth) => nth % 2 === 1 && other !== '')
  return others.length > 0 && !others.some((other) => withoutQuery(decodedSource(fileNameOf(other))) === name)
}
