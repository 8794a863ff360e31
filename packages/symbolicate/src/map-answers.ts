// Types alone, without imports: the inspector page shows these and runs in a browser.

/** The answers; undefined where the map has none, or cannot be shown. */
export interface MapAnswers {
  sources: SourceShare[]
  source: { name: string; text: string }
  generated: GeneratedWindow
  /** Where an original line ended up. */
  position: Place
}

export interface SourceShare {
  index: number
  name: string
  /** Characters of the minified file that come from it. */
  bytes: number
  hasContent: boolean
}

export interface Place {
  line: number
  column: number
}

/** A stretch of one line of a minified file. */
export interface GeneratedWindow {
  line: number
  lines: number
  /** Column of the first character of `text`. */
  column: number
  lineLength: number
  text: string
  /** Where in the window each mapped stretch begins, and where it comes from. */
  segments: Segment[]
}

export interface Segment {
  column: number
  source: number
  line: number
  originalColumn: number
}
