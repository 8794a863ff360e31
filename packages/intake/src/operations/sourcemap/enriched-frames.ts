import type { Platform } from '@symup/core'
import type { ResolvedFrame, ResolvedPosition } from '@symup/symbolicate'

/** A call that the compiler inlined is a frame of its own above the one that holds it; both have the same `original_frame`. */
export function enrichedFrames(frame: ResolvedFrame, platform: Platform): Record<string, unknown>[] {
  const { raw, function: name, file, line, column, module, address, resolved, reason, note } = frame
  const original = { ...namesOf(name, platform), file, line, column, module, address }
  if (!resolved)
    return [{ raw, ...original, converted: false, third_party: reason?.code === 'not-a-project-frame', reason }]
  const { inlined = [], candidates = [], ...outermost } = resolved
  const common = {
    raw,
    module,
    address,
    converted: true,
    original_frame: original,
    ...(reason && { reason }),
    ...(note !== undefined && { note }),
  }
  const frames = [...inlined, outermost].map((position) => ({ ...common, ...positionOf(position, platform) }))
  return frames.map((it, depth) =>
    depth < inlined.length
      ? { ...it, inlined: true }
      : {
          ...it,
          ...(candidates.length > 0 && { candidates: candidates.map((other) => candidateOf(other, platform)) }),
        },
  )
}

function positionOf({ function: name, file, line, column, snippet }: ResolvedPosition, platform: Platform) {
  return {
    ...namesOf(name, platform),
    file,
    line,
    column,
    code_snippets: snippet ?? [],
    third_party: /(?:^|\/)(?:node_modules|oh_modules)\//.test(file),
  }
}

/** One possibility, as the frames that it would be, innermost first. */
function candidateOf({ inlined = [], ...outermost }: ResolvedPosition, platform: Platform): object[] {
  return [...inlined, outermost].map(({ function: name, file, line, column }) => ({
    ...namesOf(name, platform),
    file,
    line,
    column,
  }))
}

/** A JVM function is a class and a method; one of native code has brackets. */
function namesOf(name: string | undefined, platform: Platform): object {
  if (name === undefined) return {}
  if (/[:(<]/.test(name)) return { function: name }
  const dot = name.lastIndexOf('.')
  if (platform !== 'android' || dot === -1) return { function: name }
  return { function: name, class_name: name.slice(0, dot), method_name: name.slice(dot + 1) }
}
