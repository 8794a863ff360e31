// Types alone, without imports: the inspector page shows these and runs in a browser.

/** Why a frame is not converted, or not as well as it could be. */
export interface FrameReason {
  code: string
  message: string
  fix: string
}

/** A place in original code. */
export interface FramePosition {
  function?: string
  /** Of a JVM function. */
  class_name?: string
  /** Of a JVM function. */
  method_name?: string
  file?: string
  /** 1-based. */
  line?: number
  /** 1-based. */
  column?: number
}

/** A frame as `/sourcemap/stack/enrich` answers it. */
export interface EnrichedFrame extends FramePosition {
  /** The line of the stack. */
  raw: string
  /** Native code: the library or image. */
  module?: string
  /** Native code: hexadecimal. */
  address?: string
  converted: boolean
  third_party: boolean
  /** As the stack has it. */
  original_frame: FramePosition & { module?: string; address?: string }
  /** Empty where there is no source code. */
  code_snippets: { line: number; code: string }[]
  /** The compiler copied this call into the next frame. */
  inlined?: boolean
  /** What the frame may just as well have been: each possibility is a list of frames, innermost first. */
  candidates?: FramePosition[][]
  /** Always there when it is not converted. */
  reason?: FrameReason
  /** What else there is to know about how it was converted. */
  note?: string
}
