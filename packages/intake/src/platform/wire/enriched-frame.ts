// The inspector page uses this file in a browser, so it contains only types and no imports.

export interface FrameReason {
  code: string
  message: string
  fix: string
}

interface FramePosition {
  function?: string
  /** Set only for JVM functions. */
  class_name?: string
  /** Set only for JVM functions. */
  method_name?: string
  file?: string
  /** One-based line number. */
  line?: number
  /** One-based column number. */
  column?: number
}

export interface EnrichedFrame extends FramePosition {
  /** The frame's line in the stack, unchanged. */
  raw: string
  module?: string
  /** Address in native code, in hexadecimal. */
  address?: string
  converted: boolean
  third_party: boolean
  /** The frame before it was resolved. */
  original_frame: FramePosition & { module?: string; address?: string }
  /** Empty if no source code is available. */
  code_snippets: { line: number; code: string }[]
  inlined?: boolean
  /** Possible positions if the frame is ambiguous. Each entry is a list of frames, innermost first. */
  candidates?: FramePosition[][]
  /** Always set if the frame is unresolved. */
  reason?: FrameReason
  note?: string
}
