/** A position in a stack, as the runtime reported it. */
export interface RawFrame {
  /** The line of the stack, trimmed. */
  raw: string
  function?: string
  /** URL or path, as written. */
  file?: string
  /** 1-based. */
  line?: number
  /** 1-based, as browsers report it. */
  column?: number
  /** The code was made by `eval` or `Function`: the position is where that was called. */
  isEvaluated?: boolean
  /** The file is a browser extension's, and the stack has other frames too: the extension is not the app. */
  isInOtherExtension?: boolean
  /** Native code: path or name of the library or image. WebAssembly: URL of the module. */
  module?: string
  /** Native code: hexadecimal, as the stack has it. WebAssembly: from the start of the module. */
  address?: string
  /** WebAssembly: index of the function, imported ones included. */
  wasmFunction?: number
}

/** One source line around a resolved position. */
export interface SnippetLine {
  /** 1-based. */
  line: number
  code: string
}

export interface ResolvedPosition {
  /** Original function name, when it is known. */
  function?: string
  /** The library's name where only its symbol table is known. */
  file: string
  /** 1-based; absent when only the file is known. */
  line?: number
  /** 1-based. */
  column?: number
  snippet?: SnippetLine[]
  /** The source map lists the file in its `ignoreList`: it is a framework's or a library's. */
  isIgnored?: boolean
  /** Calls that the compiler copied into this function, innermost first: in the stack they stand above it. */
  inlined?: ResolvedPosition[]
  /** What the frame may just as well have been, where the stack does not tell: every other possibility. */
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

/** Why a frame stays as it is, and what would change that. */
export interface Reason {
  code: ReasonCode
  message: string
  fix: string
}

export interface ResolvedFrame extends RawFrame {
  resolved: ResolvedPosition | null
  /** Always there when `resolved` is null. */
  reason?: Reason
  /** What else there is to know about how it was resolved. */
  note?: string
}

/** What `symbolicate` answers; also the stable JSON form of `symup explain --json`. */
export interface Explanation {
  frames: ResolvedFrame[]
  /** The stack as the original program would have printed it; only of JVM stacks. */
  text?: string
  /** What else there is to know about the stack, such as that it goes on. */
  note?: string
}
