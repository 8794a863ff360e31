import { createHash } from 'node:crypto'

/** The namespace for ids derived from the content of generated files (RFC 9562, version 5). */
const NAMESPACE = Buffer.from('6f9d1a4c7c1e5b0f9a3d2e8b4c5d6e7f', 'hex')

// Tools write a debug id on its own line near the end of the file. Only comments such as `//# sourceMappingURL` may follow the id.
const DEBUG_ID = /^\/\/[#@][ \t]*debugId=([0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12})[ \t]*$/gm
const SOURCE_MAPPING_URL =
  /^(?:\/\/[#@][ \t]*sourceMappingURL=\S+|\/\*[#@][ \t]*sourceMappingURL=[^\s*]+[ \t]*\*\/)[ \t]*$/gm
/** The number of characters to search for a debug id: before the source map comment of a script, or at either end of a map. */
const TAIL = 2048

/**
 * Derives the debug id of a generated file from its content, as a UUID. `sourceMappingURL` comments are ignored. Files with identical
 * content in different releases have the same id.
 */
export function debugIdOf(code: string): string {
  const comment = mappingComment(code)
  const hash = createHash('sha1').update(NAMESPACE)
  if (comment) hash.update(code.slice(0, comment.start)).update(code.slice(comment.end))
  else hash.update(code)
  const bytes = hash.digest().subarray(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Reads the debug id from the last lines of a generated file, in lower case. */
export function readDebugId(code: string): string | undefined {
  const comment = mappingComment(code)
  const end = comment ? comment.start : code.length
  const tail = code.slice(Math.max(0, end - TAIL), end) + (comment ? code.slice(comment.end) : '')
  let found: string | undefined
  for (const [, id] of tail.matchAll(DEBUG_ID)) found = id?.toLowerCase()
  return found
}

/**
 * Adds `//# debugId=` (ECMA-426) on its own line before the `sourceMappingURL`, which tools expect on the last line. The new line is below
 * the code, so the map stays valid.
 */
export function withDebugId(code: string, id: string): string {
  const comment = mappingComment(code)
  if (comment) return `${code.slice(0, comment.start)}//# debugId=${id}\n${code.slice(comment.start)}`
  return `${code}${code === '' || code.endsWith('\n') ? '' : '\n'}//# debugId=${id}\n`
}

/** Adds `debugId` as the first field of a source map's text, or replaces an existing id. The map is not parsed, because it may be large. */
export function mapWithDebugId(map: string, id: string): string {
  const field = `"debugId":"${id}"`
  const known =
    /"debugId"\s*:\s*"[^"\\]*"/.exec(map.slice(0, TAIL)) ?? /"debugId"\s*:\s*"[^"\\]*"\s*\}\s*$/.exec(map.slice(-TAIL))
  if (known) {
    const at = map.indexOf(known[0], map.slice(0, TAIL).includes(known[0]) ? 0 : map.length - TAIL)
    const value = known[0].replace(/^"debugId"\s*:\s*"[^"\\]*"/, field)
    return map.slice(0, at) + value + map.slice(at + known[0].length)
  }
  const open = map.indexOf('{')
  if (open === -1) return map
  const isEmpty = map
    .slice(open + 1)
    .trimStart()
    .startsWith('}')
  return `${map.slice(0, open + 1)}${field}${isEmpty ? '' : ','}${map.slice(open + 1)}`
}

function mappingComment(code: string): { start: number; end: number } | undefined {
  const at = code.lastIndexOf('sourceMappingURL=')
  if (at === -1) return undefined
  const start = code.lastIndexOf('\n', at) + 1
  const newline = code.indexOf('\n', at)
  const end = newline === -1 ? code.length : newline
  SOURCE_MAPPING_URL.lastIndex = 0
  return SOURCE_MAPPING_URL.test(code.slice(start, end)) ? { start, end } : undefined
}
