/** A position in a stack, as the runtime reported it. */
export interface RawFrame {
  /** The line in the stack, trimmed. */
  raw: string
  function?: string
  /** URL or path, as written in the stack. */
  file?: string
  /** 1-based. */
  line?: number
  /** 1-based, as browsers report it. */
  column?: number
  /** Whether the code was created by `eval` or `Function`. The position is then where that function was called. */
  isEvaluated?: boolean
  /** Whether the file belongs to a browser extension that is not the app: the stack also has other frames. */
  isInOtherExtension?: boolean
  /** Native code: path or name of the library or image. WebAssembly: URL of the module. */
  module?: string
  /** Native code: hexadecimal, as in the stack. WebAssembly: offset in the module. */
  address?: string
  /** WebAssembly: index of the function, including imported ones. */
  wasmFunction?: number
}

/** One source line around a resolved position. */
export interface SnippetLine {
  /** 1-based. */
  line: number
  code: string
}

export interface ResolvedPosition {
  /** Original function name, if known. */
  function?: string
  /** The library's name, if only its symbol table is known. */
  file: string
  /** 1-based; absent if only the file is known. */
  line?: number
  /** 1-based. */
  column?: number
  snippet?: SnippetLine[]
  /** Whether the source map lists the file in its `ignoreList`. Such files belong to a framework or library. */
  isIgnored?: boolean
  /** Calls that the compiler inlined into this function, innermost first. In the stack they are above it. */
  inlined?: ResolvedPosition[]
  /** Other possible positions, if the stack is ambiguous. */
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

/** Why a frame is unresolved, and the fix. */
export interface Reason {
  code: ReasonCode
  message: string
  fix: string
}

export interface ResolvedFrame extends RawFrame {
  resolved: ResolvedPosition | null
  /** Always present if `resolved` is null. */
  reason?: Reason
  /** An additional remark about the result. */
  note?: string
}

/** The result of `symbolicate`, and the stable JSON form of `symup explain --json`. */
export interface Explanation {
  frames: ResolvedFrame[]
  /** The stack as the original program would have printed it. Only for JVM stacks. */
  text?: string
  /** An additional remark about the stack, for example that it was cut. */
  note?: string
}
