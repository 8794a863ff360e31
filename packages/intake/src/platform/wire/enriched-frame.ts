// This file contains only types and has no imports, because the inspector page uses it in a browser.

/** Why a frame is unresolved or incomplete. */
export interface FrameReason {
  code: string
  message: string
  fix: string
}

/** A position in original code. */
interface FramePosition {
  function?: string
  /** For JVM functions. */
  class_name?: string
  /** For JVM functions. */
  method_name?: string
  file?: string
  /** 1-based. */
  line?: number
  /** 1-based. */
  column?: number
}

/** A frame in the answer from `/sourcemap/stack/enrich`. */
export interface EnrichedFrame extends FramePosition {
  /** The line in the stack. */
  raw: string
  /** Native code: the library or image. */
  module?: string
  /** Native code: hexadecimal. */
  address?: string
  converted: boolean
  third_party: boolean
  /** The frame as in the stack. */
  original_frame: FramePosition & { module?: string; address?: string }
  /** Empty if there is no source code. */
  code_snippets: { line: number; code: string }[]
  /** Whether the compiler inlined this call into the next frame. */
  inlined?: boolean
  /** Alternative meanings of the frame. Each one is a list of frames, innermost first. */
  candidates?: FramePosition[][]
  /** Always present if the frame is unresolved. */
  reason?: FrameReason
  /** An additional remark about the result. */
  note?: string
}
