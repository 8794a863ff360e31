import {
  AnyMap,
  GREATEST_LOWER_BOUND,
  originalPositionFor,
  sourceContentFor,
  type TraceMap,
} from '@jridgewell/trace-mapping'
import { checkMapBytes, sourceMapJson } from '@symup/core/internal'
import { functionMapsOf } from './function-map.ts'
import { type ScopeFrame, scopesOf } from './scopes.ts'
import { SourceText } from './source-text.ts'

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
  /** Calls that the minifier copied to here, innermost first, where the map has scopes. */
  inlined?: OriginalPosition[]
}

/** A parsed source map. Positions are 1-based on both sides. */
export interface SourceMap {
  originalAt(line: number, column: number): OriginalPosition | undefined
  sourceText(source: string): SourceText | undefined
}

/** Why a map cannot be used, as the end of a sentence. */
export class MapError extends Error {}

/** Original files whose lines stay known: those that one stack is in. */
const KEPT_TEXTS = 32

/**
 * @throws Error when the bytes are no source map.
 * What it returns throws MapError where the map leads to what cannot be.
 */
export function parseSourceMap(bytes: Uint8Array): SourceMap {
  checkMapBytes(bytes)
  const text = sourceMapJson(new TextDecoder().decode(bytes))
  const json = JSON.parse(text)
  const functions = functionMapsOf(json)
  const map: TraceMap = new AnyMap(json)
  const ignored = new Set(map.ignoreList)
  const indexOf = new Map(map.resolvedSources.map((source, index) => [source, index]))
  const texts = new Map<string, SourceText>()
  const scopes = scopesOf(json)
  const positionOf = (frame: ScopeFrame): OriginalPosition => {
    const { source, line, column } = frame.position
    return {
      ...{ source: map.resolvedSources[source] ?? '', line: line + 1, column: column + 1 },
      ...(frame.name !== undefined && { function: frame.name }),
      ...(ignored.has(source) && { isIgnored: true }),
    }
  }
  return {
    originalAt(line, column) {
      const found = orMapError(() =>
        originalPositionFor(map, { line, column: Math.max(0, column - 1), bias: GREATEST_LOWER_BOUND }),
      )
      if (found.source === null) return undefined
      const { source, name } = found
      // The mappings may lead to a source or a name that the map does not have.
      if (typeof source !== 'string' || name === undefined) throw new MapError('its mappings lead outside of its lists')
      const index = indexOf.get(source) ?? -1
      const position = {
        ...{ source, line: found.line, column: found.column + 1 },
        ...(name !== null && { name }),
        ...(ignored.has(index) && { isIgnored: true }),
      }
      const at = { source: index, line: position.line - 1, column: position.column - 1 }
      const frames = scopes?.framesAt(line - 1, Math.max(0, column - 1), at)
      const outermost = frames?.pop()
      const isSound = [...(frames ?? []), ...(outermost ? [outermost] : [])].every(
        (frame) => typeof map.resolvedSources[frame.position.source] === 'string',
      )
      if (frames && outermost && isSound) {
        const inlined = frames.map(positionOf)
        return {
          ...(inlined.length === 0 ? position : {}),
          ...positionOf(outermost),
          ...(inlined.length > 0 && { inlined }),
        }
      }
      const inside = functions(index)?.nameAt(position.line, position.column)
      return inside === undefined ? position : { ...position, function: inside }
    },
    sourceText(source) {
      const known = texts.get(source)
      if (known) return known
      const text = sourceContentFor(map, source)
      if (text === null) return undefined
      const made = new SourceText(text)
      if (texts.size === KEPT_TEXTS) texts.delete(texts.keys().next().value as string)
      texts.set(source, made)
      return made
    },
  }
}

/** Mappings are decoded when a position is first looked up. */
function orMapError<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new MapError((error as Error).message.slice(0, 200))
  }
}

/**
 * A source's path as a person would say it: without scheme (`webpack://app/./src/a.ts` → `src/a.ts`), without the leading `./` and `../`
 * that only say where the map lies, without query. Turbopack calls the project's directory `[project]`.
 */
export function readableSource(source: string): string {
  return source
    .replace(/^turbopack:\/\/\/\[project\]\//, '')
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, '')
    .replace(/\?.*$/s, '')
    .replace(/^(?:\.{1,2}\/)+/, '')
}
