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
  file: string
  /** 1-based. */
  line: number
  /** 1-based. */
  column?: number
  snippet?: SnippetLine[]
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
  | 'appid-mismatch'
  | 'layout-mismatch'

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
}
