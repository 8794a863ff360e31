import type { Platform } from '@symup/core'
import type { ResolvedFrame, ResolvedPosition } from '@symup/symbolicate'
import { isLibraryFile } from '@symup/symbolicate/presentation'
import { contracted } from '../../platform/wire/contract.ts'
import type { EnrichedFrame, FramePosition } from '../../platform/wire/enriched-frame.ts'
import { Optional, Type } from '../../platform/wire/schema.ts'

/** Fields that are not in the contract. */
const Extension = Type.Extended(
  Optional({
    inlined: Type.Boolean(),
    candidates: Type.Array(Type.Array(contracted('SourcemapStackFrame'))),
    reason: Type.Object({ code: Type.String(), message: Type.String(), fix: Type.String() }),
    note: Type.String(),
  }),
  { raw: Type.String() },
)

/** The schema of an answered frame. */
export const Frame = Type.Unsafe<EnrichedFrame>({ allOf: [contracted('SourcemapEnrichedFrame'), Extension] })

/**
 * An inlined call becomes a separate frame above its caller, with the same `original_frame`. Fields without a value are
 * undefined, which JSON omits. They are listed explicitly, because object spreads would take longer than everything
 * else.
 */
export function enrichedFrames(frame: ResolvedFrame, platform: Platform): EnrichedFrame[] {
  const { resolved } = frame
  const original = originalOf(frame, platform)
  if (!resolved) return [unresolved(frame, original)]
  const { inlined = [], candidates = [] } = resolved
  const outermost = enriched(frame, original, resolved, platform)
  if (candidates.length > 0) outermost.candidates = candidates.map((other) => candidateOf(other, platform))
  if (inlined.length === 0) return [outermost]
  const calls = inlined.map((position) => ({ ...enriched(frame, original, position, platform), inlined: true }))
  return [...calls, outermost]
}

type Original = EnrichedFrame['original_frame']

function originalOf({ function: name, file, line, column, module, address }: ResolvedFrame, platform: Platform) {
  const { function: called, class_name, method_name } = namesOf(name, platform)
  return { function: called, class_name, method_name, file, line, column, module, address } as Original
}

function unresolved({ raw, reason }: ResolvedFrame, original: Original): EnrichedFrame {
  const isForeign = reason?.code === 'not-a-project-frame'
  const answer = { raw, ...original, converted: false, third_party: isForeign, code_snippets: [] }
  return { ...answer, original_frame: original, reason } as EnrichedFrame
}

function enriched(
  { raw, module, address, reason, note }: ResolvedFrame,
  original: Original,
  { function: name, file, line, column, snippet = [], isIgnored = false }: ResolvedPosition,
  platform: Platform,
): EnrichedFrame {
  const { function: called, class_name, method_name } = namesOf(name, platform)
  const answer = {
    raw,
    module,
    address,
    converted: true,
    original_frame: original,
    reason,
    note,
    function: called,
    class_name,
    method_name,
    file,
    line,
    column,
    code_snippets: snippet,
    third_party: isIgnored || isLibraryFile(file),
  }
  return answer as EnrichedFrame
}

/** One alternative as a list of frames, innermost first. */
function candidateOf({ inlined = [], ...outermost }: ResolvedPosition, platform: Platform) {
  return [...inlined, outermost].map((position) => placeOf(position, platform))
}

function placeOf({ function: name, file, line, column }: ResolvedPosition, platform: Platform) {
  return { ...namesOf(name, platform), file, line, column } as FramePosition
}

interface Names {
  function?: string
  class_name?: string
  method_name?: string
}

/** A JVM function is a class and a method. A native function has parentheses. */
function namesOf(name: string | undefined, platform: Platform): Names {
  if (name === undefined) return {}
  const dot = platform === 'android' && !/[:(<]/.test(name) ? name.lastIndexOf('.') : -1
  if (dot === -1) return { function: name }
  return { function: name, class_name: name.slice(0, dot), method_name: name.slice(dot + 1) }
}
