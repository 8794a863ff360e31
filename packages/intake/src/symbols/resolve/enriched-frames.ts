import type { Platform } from '@symup/core'
import type { ResolvedFrame, ResolvedPosition } from '@symup/symbolicate'
import { isLibraryFile } from '@symup/symbolicate/presentation'
import { contracted } from '../../platform/wire/contract.ts'
import type { EnrichedFrame } from '../../platform/wire/enriched-frame.ts'
import { Optional, Type } from '../../platform/wire/schema.ts'

const Extension = Type.Extended(
  Optional({
    inlined: Type.Boolean(),
    candidates: Type.Array(Type.Array(contracted('SourcemapStackFrame'))),
    reason: Type.Object({ code: Type.String(), message: Type.String(), fix: Type.String() }),
    note: Type.String(),
  }),
  { raw: Type.String() },
)

export const Frame = Type.Unsafe<EnrichedFrame>({ allOf: [contracted('SourcemapEnrichedFrame'), Extension] })

/** Each inlined call becomes a separate frame above its caller, with the same `original_frame`. */
export function enrichedFrames(frame: ResolvedFrame, platform: Platform): EnrichedFrame[] {
  const { raw, module, address, reason, note, resolved } = frame
  const original = { ...placeOf(frame, platform), module, address }
  const shared = { raw, original_frame: original, reason }
  if (!resolved) {
    const isForeign = reason?.code === 'not-a-project-frame'
    return [{ ...shared, ...original, converted: false, third_party: isForeign, code_snippets: [] } as EnrichedFrame]
  }
  const enriched = (position: ResolvedPosition) => ({
    ...{ ...shared, module, address, note, converted: true },
    ...placeOf(position, platform),
    code_snippets: position.snippet ?? [],
    third_party: position.isIgnored || isLibraryFile(position.file),
  })
  const { inlined = [], candidates = [] } = resolved
  const calls = inlined.map((position) => ({ ...enriched(position), inlined: true }))
  const others = candidates.map(({ inlined: inner = [], ...outermost }) =>
    [...inner, outermost].map((position) => placeOf(position, platform)),
  )
  return [...calls, { ...enriched(resolved), ...(others.length > 0 && { candidates: others }) }] as EnrichedFrame[]
}

/** Splits JVM functions into class and method. Native functions keep their parentheses. */
function placeOf({ function: name, file, line, column }: ResolvedFrame | ResolvedPosition, platform: Platform) {
  const place = { function: name, file, line, column }
  const dot = platform === 'android' && name !== undefined && !/[:(<]/.test(name) ? name.lastIndexOf('.') : -1
  if (dot === -1) return place
  return { ...place, class_name: name?.slice(0, dot), method_name: name?.slice(dot + 1) }
}
