import type { Platform } from '@symup/core/internal'
import type { ResolvedFrame, ResolvedPosition } from '@symup/symbolicate'
import type { EnrichedFrame } from './enriched-frame.ts'

/** A call that the compiler inlined is a frame of its own above the one that holds it; both have the same `original_frame`. */
export function enrichedFrames(frame: ResolvedFrame, platform: Platform): EnrichedFrame[] {
  const { raw, function: name, file, line, column, module, address, resolved, reason, note } = frame
  const original = withoutUndefined({ ...namesOf(name, platform), file, line, column, module, address })
  const why = reason && { reason }
  if (!resolved) {
    const isForeign = reason?.code === 'not-a-project-frame'
    const unresolved = { raw, ...original, converted: false, third_party: isForeign, code_snippets: [] }
    return [{ ...unresolved, original_frame: original, ...why }]
  }
  const { inlined = [], candidates = [], ...outermost } = resolved
  const common = {
    raw,
    ...withoutUndefined({ module, address }),
    converted: true,
    original_frame: original,
    ...why,
    ...(note !== undefined && { note }),
  }
  const alternatives = candidates.map((other) => candidateOf(other, platform))
  return [
    ...inlined.map((position) => ({ ...common, ...positionOf(position, platform), inlined: true })),
    { ...common, ...positionOf(outermost, platform), ...(alternatives.length > 0 && { candidates: alternatives }) },
  ]
}

function positionOf(position: ResolvedPosition, platform: Platform) {
  return {
    ...placeOf(position, platform),
    code_snippets: position.snippet ?? [],
    third_party: position.isIgnored === true || /(?:^|\/)(?:node_modules|oh_modules)\//.test(position.file),
  }
}

/** One possibility, as the frames that it would be, innermost first. */
function candidateOf({ inlined = [], ...outermost }: ResolvedPosition, platform: Platform) {
  return [...inlined, outermost].map((position) => placeOf(position, platform))
}

function placeOf({ function: name, file, line, column }: ResolvedPosition, platform: Platform) {
  return withoutUndefined({ ...namesOf(name, platform), file, line, column })
}

/** A JVM function is a class and a method; one of native code has brackets. */
function namesOf(name: string | undefined, platform: Platform) {
  if (name === undefined) return {}
  if (/[:(<]/.test(name)) return { function: name }
  const dot = name.lastIndexOf('.')
  if (platform !== 'android' || dot === -1) return { function: name }
  return { function: name, class_name: name.slice(0, dot), method_name: name.slice(dot + 1) }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function withoutUndefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
