import {
  AnyMap,
  GREATEST_LOWER_BOUND,
  originalPositionFor,
  sourceContentFor,
  type TraceMap,
} from '@jridgewell/trace-mapping'
import { sourceMapJson } from '@symup/core/internal'
import type { SnippetLine } from '../../frames.ts'
import { functionMapsOf } from './function-map.ts'

export interface OriginalPosition {
  /** As the map names it. */
  source: string
  /** 1-based. */
  line: number
  /** 1-based. */
  column: number
  name?: string
  /** Name of the function that it is in, where the map says so; Metro writes `<anonymous>` and `<global>` as well. */
  function?: string
  /** The map lists the source in its `ignoreList`. */
  isIgnored?: boolean
}

/** A parsed source map. Positions are 1-based on both sides. */
export interface SourceMap {
  originalAt(line: number, column: number): OriginalPosition | undefined
  sourceText(source: string): string | undefined
}

/** @throws Error when the bytes are no source map. */
export function parseSourceMap(bytes: Uint8Array): SourceMap {
  const text = sourceMapJson(new TextDecoder().decode(bytes))
  const json = JSON.parse(text)
  const functions = functionMapsOf(json)
  const map: TraceMap = new AnyMap(json)
  const ignored = new Set(map.ignoreList)
  const indexOf = new Map(map.resolvedSources.map((source, index) => [source, index]))
  return {
    originalAt(line, column) {
      const found = originalPositionFor(map, { line, column: Math.max(0, column - 1), bias: GREATEST_LOWER_BOUND })
      if (found.source === null) return undefined
      const { source, name } = found
      const index = indexOf.get(source) ?? -1
      const position = {
        ...{ source, line: found.line, column: found.column + 1 },
        ...(name !== null && { name }),
        ...(ignored.has(index) && { isIgnored: true }),
      }
      const inside = functions(index)?.nameAt(position.line, position.column)
      return inside === undefined ? position : { ...position, function: inside }
    },
    sourceText: (source) => sourceContentFor(map, source) ?? undefined,
  }
}

/**
 * A source's path as a person would say it: without scheme (`webpack://app/./src/a.ts` → `src/a.ts`), without the leading `./` and `../`
 * that only say where the map lies, without query.
 */
export function readableSource(source: string): string {
  return source
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, '')
    .replace(/\?.*$/, '')
    .replace(/^(?:\.{1,2}\/)+/, '')
}

/** The lines around a position, `near` on each side. */
export function snippetAround(text: string, line: number, near: number): SnippetLine[] {
  const lines = text.split(/\r?\n/)
  const first = Math.max(1, line - near)
  return lines.slice(first - 1, line + near).map((code, index) => ({ line: first + index, code: code.slice(0, 1000) }))
}
