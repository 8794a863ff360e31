// This file contains only types and has no imports, because the inspector page uses it in the browser.

export interface MapAnswers {
  sources: SourceShare[]
  source: { name: string; text: string }
  generated: GeneratedWindow
  /** The generated position, or null if no generated position maps to the original position. */
  position: GeneratedPlace | null
  proof: MapProof
}

/** Describes whether a script matches its source map. As in the check before an upload, positions throughout the script are tested. */
export interface MapProof {
  /**
   * `places` is the number of tested positions, and `resolved` is the number of those that resolve to the right line. Positions in
   * libraries are not counted if the map contains the app's own sources.
   */
  places: number
  resolved: number
  problems: { code: string; message: string; fix: string }[]
}

export interface SourceShare {
  index: number
  name: string
  /** The number of characters that the source contributes to the minified file. */
  bytes: number
  hasContent: boolean
}

export interface Place {
  line: number
  column: number
}

export interface GeneratedPlace extends Place {
  /** The original position of the mapping closest to the requested position. */
  original: Place
}

export interface GeneratedWindow {
  line: number
  lines: number
  /** The column of the first character in `text`. */
  column: number
  lineLength: number
  text: string
  segments: Segment[]
}

export interface Segment {
  column: number
  source: number
  line: number
  originalColumn: number
  /** The name in the original code, if the map contains it. */
  name?: string
}
