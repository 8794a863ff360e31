/** One frame of an ArkTS stack: `at name (entry|entry|1.0.0|src/main/ets/pages/Index.ts:163:22)`. */
export interface ArktsFrame {
  /** The line, trimmed. */
  raw: string
  function?: string
  /** Key of the file in `sourceMaps.map`, or, in a debug build, the original file. */
  source: string
  /** 1-based. */
  line: number
  /** 1-based; old runtimes repeat the line here. */
  column?: number
  /** Only the runtime of a debug build names it, after the function: it has translated the frame already. */
  module?: string
}

/** No real frame is longer; a longer line is a message or an attack. */
const MAX_LINE = 4096

/** Reads a line; undefined for everything that is not an ArkTS frame. */
export function parseArktsLine(text: string): ArktsFrame | undefined {
  if (text.length > MAX_LINE) return undefined
  const raw = text.trim()
  // The source is what stands between the first and the last parenthesis; logs cut the last one off.
  const open = raw.indexOf('(')
  const close = raw.lastIndexOf(')')
  const before = (open === -1 ? raw : raw.slice(0, open)).trimEnd()
  const words = before.split(/\s+/)
  const at = words.lastIndexOf('at')
  if (at === -1) return undefined
  const names = words.slice(at + 1)
  const place = open === -1 ? (names.pop() ?? '') : raw.slice(open + 1, close > open ? close : undefined)
  const position = /^(.+?):(\d{1,9})(?::(\d{1,9}))?$/.exec(place)
  if (!position) return undefined
  const [, source = '', line, column] = position
  if (!source.includes('/') && !source.includes('|')) return undefined
  const [name, module] = names
  return {
    raw,
    ...(name !== undefined && { function: name }),
    source,
    line: Number(line),
    ...(column !== undefined && { column: Number(column) }),
    ...(module !== undefined && { module }),
  }
}

/** Parts of a key `entryPackage|package|version|path` (from API 12 on); older keys are paths. */
export interface SourceKey {
  entry: string
  package: string
  version: string
  path: string
}

export function parseSourceKey(key: string): SourceKey | undefined {
  const parts = key.split('|')
  if (parts.length !== 4) return undefined
  const [entry, name, version, path] = parts as [string, string, string, string]
  return { entry, package: name, version, path }
}
