import { readFileSync, statSync } from 'node:fs'
import type { CheckedFile } from '@symup/core'

const SHOWN = 5
const LARGEST_MAP = 64 * 1024 * 1024

/** The sources that a script is mostly made of, by the bytes of their text in its map, largest first. */
export function biggestSources(map: string): NonNullable<CheckedFile['biggestSources']> {
  try {
    if (statSync(map).size > LARGEST_MAP) return []
    const { sources, sourcesContent } = JSON.parse(readFileSync(map, 'utf8')) as Record<string, unknown>
    if (!Array.isArray(sources) || !Array.isArray(sourcesContent)) return []
    return sources
      .map((source, index) => ({
        source: String(source),
        bytes: Buffer.byteLength(String(sourcesContent[index] ?? '')),
      }))
      .filter(({ bytes }) => bytes > 0)
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, SHOWN)
  } catch {
    return [] // What is wrong with it was said when it was collected.
  }
}
