// The inspector page uses this file in a browser, so it contains only types and no imports.

export interface FrameReason {
  code: string
  message: string
  fix: string
}

interface FramePosition {
  function?: string
  /** Only JVM functions have a class name. */
  class_name?: string
  /** Only JVM functions have a method name. */
  method_name?: string
  file?: string
  /** Line numbers start at 1. */
  line?: number
  /** Column numbers start at 1. */
  column?: number
}

export interface EnrichedFrame extends FramePosition {
  /** The frame's line in the stack, unchanged. */
  raw: string
  module?: string
  /** Hexadecimal address in native code. */
  address?: string
  converted: boolean
  third_party: boolean
  /** The frame as it appears in the stack. */
  original_frame: FramePosition & { module?: string; address?: string }
  /** Empty if no source code is available. */
  code_snippets: { line: number; code: string }[]
  inlined?: boolean
  /** Alternative meanings of the frame. Each alternative is a list of frames, innermost first. */
  candidates?: FramePosition[][]
  /** Always present if the frame is unresolved. */
  reason?: FrameReason
  note?: string
}
