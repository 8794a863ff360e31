import { withFileBytes } from './bytes.ts'
import { SourceMapFlaw } from './flaw.ts'
import { readLayout } from './layout.ts'
import { contentOf, readSources, readText } from './text.ts'

/**
 * Returns a map's sources with the sizes of their texts in bytes, in the map's order. Sources without text are omitted.
 * @returns an empty list if the file is not a source map.
 * @throws a file system error.
 */
export function sourceSizes(path: string): { source: string; bytes: number }[] {
  return withFileBytes(path, (file) => {
    const layout = readLayout(file)
    const sources = layout instanceof SourceMapFlaw ? layout : readSources(file, layout)
    if (layout instanceof SourceMapFlaw || sources instanceof SourceMapFlaw) return []
    return sources
      .map((source, index) => {
        const content = contentOf(layout, index)
        const text = content && readText(file, content)
        return { source, bytes: typeof text === 'string' ? Buffer.byteLength(text) : 0 }
      })
      .filter(({ bytes }) => bytes > 0)
  })
}
