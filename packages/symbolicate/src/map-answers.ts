// This file contains only types and has no imports, because the inspector page uses it in a browser.

/** The answers; undefined if the map has none, or cannot be shown. */
export interface MapAnswers {
  sources: SourceShare[]
  source: { name: string; text: string }
  generated: GeneratedWindow
  /** The generated position of original code; null if the code produced no output. */
  position: GeneratedPlace | null
  proof: MapProof
}

/** Whether a script matches its map. Tested at positions throughout the script, like the check before an upload. */
export interface MapProof {
  /** Number of tested positions, and how many of them resolve to the right line. Only the app's own sources count, if there are any. */
  places: number
  resolved: number
  /** Problems and their fixes. */
  problems: { code: string; message: string; fix: string }[]
}

export interface SourceShare {
  index: number
  name: string
  /** Characters of the minified file that come from this source. */
  bytes: number
  hasContent: boolean
}

export interface Place {
  line: number
  column: number
}

/** A position in the minified file, and the nearest original position. */
export interface GeneratedPlace extends Place {
  /** The mapped original position: the requested one, otherwise the nearest after it, otherwise the nearest before it. */
  original: Place
}

/** A section of one line in a minified file. */
export interface GeneratedWindow {
  line: number
  lines: number
  /** Column of the first character of `text`. */
  column: number
  lineLength: number
  text: string
  /** The mapped segments in the window, with their original positions. */
  segments: Segment[]
}

export interface Segment {
  column: number
  source: number
  line: number
  originalColumn: number
  /** The original name, if the map has one. */
  name?: string
}
