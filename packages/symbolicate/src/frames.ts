/** A position in a stack, as reported by the runtime. */
export interface RawFrame {
  /** The stack line without surrounding whitespace. */
  raw: string
  function?: string
  /** The URL or path, as written in the stack. */
  file?: string
  /** The one-based line number. */
  line?: number
  /** The one-based column number, as in browsers. */
  column?: number
  /**
   * Whether the code was created by `eval` or `Function`. If so, the frame's position is the position of the call to `eval` or `Function`.
   */
  isEvaluated?: boolean
  /**
   * Whether the frame belongs to a browser extension that is not the app. An extension is assumed not to be the app if the stack also
   * contains frames from outside the extension.
   */
  isInOtherExtension?: boolean
  /** The path or name of the native library or image, or the URL of the WebAssembly module. */
  module?: string
  /** The hexadecimal address of native code, as written in the stack, or the offset in the WebAssembly module. */
  address?: string
  /** The index of the WebAssembly function. Imported functions are counted too. */
  wasmFunction?: number
}

/** A source line at or near a resolved position. */
export interface SnippetLine {
  /** The one-based line number. */
  line: number
  code: string
}

export interface ResolvedPosition {
  /** The original name of the function. */
  function?: string
  /** The path of the source file, or the name of the library if only the symbol table is known. */
  file: string
  /** The one-based line number. Absent if only the file is known. */
  line?: number
  /** The one-based column number. */
  column?: number
  snippet?: SnippetLine[]
  /** Whether the source map lists the file in its `ignoreList`, which marks code from frameworks and libraries. */
  isIgnored?: boolean
  /** Calls that the compiler inlined into this function, innermost first. Inlined calls appear above this function in the stack. */
  inlined?: ResolvedPosition[]
  /** Other possible positions if the stack is ambiguous. */
  candidates?: ResolvedPosition[]
}

export type ReasonCode =
  | 'no-artifact'
  | 'version-mismatch'
  | 'service-mismatch'
  | 'prefix-mismatch'
  | 'no-mapping-at-position'
  | 'not-a-project-frame'
  | 'no-position'
  | 'map-unusable'
  | 'ambiguous'
  | 'other-host'
  | 'appid-mismatch'
  | 'layout-mismatch'
  | 'mapping-mismatch'
  | 'not-in-mapping'
  | 'compiler-generated'
  | 'already-original'
  | 'names-obfuscated'
  | 'not-resolvable-here'
  | 'image-unknown'
  | 'build-id-unknown'
  | 'build-id-mismatch'
  | 'no-debug-info'
  | 'split-debug-info'
  | 'kind-not-resolved'
  | 'symbols-unusable'
  | 'minified-file-differs'
  | 'uploaded-after-event'
  | 'out-of-time'

/** Explains why a frame is unresolved and how to fix the problem. */
export interface Reason {
  code: ReasonCode
  message: string
  fix: string
}

export interface ResolvedFrame extends RawFrame {
  resolved: ResolvedPosition | null
  /** Always set if `resolved` is null. */
  reason?: Reason
  /** A note about how the frame was resolved. */
  note?: string
}

/** The result of `symbolicate`, and the stable output format of `symup explain --json`. */
export interface Explanation {
  frames: ResolvedFrame[]
  /** The stack as the original program would have printed it. Set only for JVM stacks. */
  text?: string
  /** A note about the stack. For example, the note may explain that the stack was truncated. */
  note?: string
}
