// Types alone, without imports: the inspector page shows these and runs in a browser.

/** The answers; undefined where the map has none, or cannot be shown. */
export interface MapAnswers {
  sources: SourceShare[]
  source: { name: string; text: string }
  generated: GeneratedWindow
  /** Where original code ended up; null where nothing was generated from it. */
  position: GeneratedPlace | null
  proof: MapProof
}

/** Whether a script stands where its map says, tried at places all over it, as an upload is tried before it is sent. */
export interface MapProof {
  /** Places that were tried, of the app's own sources where there are any, and how many of them lead to their line. */
  places: number
  resolved: number
  /** Most of the script is data, which is not judged. */
  isData: boolean
  /** What is wrong, and what to do about it. */
  problems: { code: string; message: string; fix: string }[]
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

/** A place in the minified file, and the nearest original place that it is of. */
export interface GeneratedPlace extends Place {
  /** Of the original code that is mapped there: the place that was asked for, or the nearest one after it, or before it. */
  original: Place
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
  /** The original name, where the map has one. */
  name?: string
}
