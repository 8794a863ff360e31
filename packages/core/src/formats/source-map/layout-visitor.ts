import { t } from '../../text.ts'
import type { ByteRange } from './bytes.ts'
import { SourceMapFlaw } from './flaw.ts'
import type { JsonKind, JsonScanner, JsonVisitor } from './json-scanner.ts'
import { TextRanges } from './text-ranges.ts'

const MAX_SECTIONS = 100_000

export interface MapNode {
  version?: number
  file?: ByteRange
  mappings?: ByteRange
  sourceRoot?: ByteRange
  scopes?: ByteRange
  sources?: TextRanges
  contents?: TextRanges
  names?: TextRanges
  ignoreList?: ByteRange
  x_google_ignoreList?: ByteRange
  metadata?: TextRanges
  sections?: SectionNode[]
}

interface SectionNode {
  line?: number
  column?: number
  map?: MapNode
}

type Frame =
  | { what: 'map'; map: MapNode }
  | { what: 'texts'; texts: TextRanges }
  | { what: 'sections'; sections: SectionNode[] }
  | { what: 'section'; section: SectionNode }
  | { what: 'offset'; section: SectionNode }
  | { what: 'ignored'; map: MapNode; key: IgnoreKey; start: number }
  | { what: 'metadata'; texts: TextRanges }
  | { what: 'of-source'; texts: TextRanges; start: number }

const FIELDS = {
  ...{ version: 'version', file: 'file', mappings: 'mappings', sourceRoot: 'sourceRoot', scopes: 'scopes' },
  sections: 'sections',
  ...{ sources: 'sources', sourcesContent: 'contents', names: 'names', x_facebook_sources: 'metadata' },
  ...{ ignoreList: 'ignoreList', x_google_ignoreList: 'x_google_ignoreList' },
} as const satisfies Record<string, keyof MapNode>

type IgnoreKey = 'ignoreList' | 'x_google_ignoreList'
const METADATA = 'x_facebook_sources'

export class LayoutVisitor implements JsonVisitor {
  root: MapNode | undefined
  scanner: JsonScanner | undefined
  readonly #frames: Frame[] = []
  /** The innermost frame, which is cached because it is needed for every string. */
  #frame: Frame | undefined
  #key = ''
  #sections = 0

  open(isArray: boolean): boolean {
    const frame = this.#frame
    const next = frame ? this.#inside(frame, isArray) : isArray ? undefined : this.#root()
    if (!next) return false
    this.#frames.push(next)
    this.#frame = next
    return true
  }

  #root(): Frame {
    this.root = {}
    return { what: 'map', map: this.root }
  }

  #inside(frame: Frame, isArray: boolean): Frame | undefined {
    // A repeated key may still replace the value, so the value is checked only at the end.
    if (frame.what === 'texts') {
      frame.texts.addOther()
      return undefined
    }
    if (frame.what === 'sections') {
      if (this.#sections++ === MAX_SECTIONS)
        throw new SourceMapFlaw('too-many', t`The source map has more than ${MAX_SECTIONS} sections.`)
      const section: SectionNode = {}
      frame.sections.push(section)
      return isArray ? undefined : { what: 'section', section }
    }
    if (frame.what === 'section') {
      if (isArray) return undefined
      if (this.#key === 'offset') return { what: 'offset', section: frame.section }
      if (this.#key !== 'map') return undefined
      frame.section.map = {}
      return { what: 'map', map: frame.section.map }
    }
    const start = this.scanner?.bracketAt ?? 0
    if (frame.what === 'metadata') return { what: 'of-source', texts: frame.texts, start }
    if (frame.what !== 'map' || !isArray) return undefined
    if (isIgnoreList(this.#key)) return { what: 'ignored', map: frame.map, key: this.#key, start }
    if (this.#key === METADATA) {
      const texts = new TextRanges()
      frame.map.metadata = texts
      return { what: 'metadata', texts }
    }
    if (this.#key === 'sections') {
      frame.map.sections = []
      return { what: 'sections', sections: frame.map.sections }
    }
    if (!isList(this.#key)) return undefined
    const texts = new TextRanges()
    frame.map[FIELDS[this.#key]] = texts
    return { what: 'texts', texts }
  }

  close(): void {
    const frame = this.#frames.pop()
    this.#frame = this.#frames.at(-1)
    const end = (this.scanner?.bracketAt ?? 0) + 1
    if (frame?.what === 'of-source') frame.texts.add(frame.start, end)
    else if (frame?.what === 'ignored') frame.map[frame.key] = { start: frame.start, end }
  }

  /** A repeated key discards the earlier value, as in `JSON.parse`. */
  key(name: string): boolean {
    this.#key = name
    const frame = this.#frame as Frame
    if (frame.what === 'map') {
      if (Object.hasOwn(FIELDS, name)) delete frame.map[FIELDS[name as keyof typeof FIELDS]]
    } else if (frame.what === 'section') {
      if (name === 'map') delete frame.section.map
      else if (name === 'offset') {
        delete frame.section.line
        delete frame.section.column
      }
    } else if (frame.what === 'offset' && (name === 'line' || name === 'column')) delete frame.section[name]
    return false
  }

  value(kind: JsonKind, start: number, end: number): void {
    const frame = this.#frame
    switch (frame?.what) {
      case 'texts':
        if (kind === 'string') frame.texts.add(start, end)
        else if (kind === 'null') frame.texts.addNull()
        else frame.texts.addOther()
        return
      case 'map':
        if (kind === 'string' && isText(this.#key)) frame.map[this.#key] = { start, end }
        else if (this.#key === 'version' && (kind === 'number' || kind === 'string'))
          frame.map.version = Number(this.scanner?.token)
        return
      case 'sections':
        frame.sections.push({})
        return
      case 'metadata':
        frame.texts.addNull()
        return
      case 'offset':
        if (kind === 'number' && (this.#key === 'line' || this.#key === 'column'))
          frame.section[this.#key] = Number(this.scanner?.token)
        return
      default:
    }
  }
}

function isList(key: string): key is 'sources' | 'sourcesContent' | 'names' {
  return key === 'sources' || key === 'sourcesContent' || key === 'names'
}

function isText(key: string): key is 'file' | 'mappings' | 'sourceRoot' | 'scopes' {
  return key === 'file' || key === 'mappings' || key === 'sourceRoot' || key === 'scopes'
}

function isIgnoreList(key: string): key is IgnoreKey {
  return key === 'ignoreList' || key === 'x_google_ignoreList'
}
