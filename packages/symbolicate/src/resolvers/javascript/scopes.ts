import { firstAbove } from '@symup/core/resolving'
import { VlqNumbers } from './vlq.ts'

export interface ScopesSection {
  /** The start of the section in the script. Lines and columns are zero-based. */
  line: number
  column: number
  scopes: string | undefined
  names: readonly string[]
  sources: number
}

/** A position in one of the map's sources. Lines and columns are zero-based. */
interface ScopePosition {
  source: number
  line: number
  column: number
}

export interface ScopeFrame {
  position: ScopePosition
  name?: string
}

interface Span {
  line: number
  column: number
  endLine: number
  endColumn: number
}

interface OriginalScope extends Span {
  source: number
  name?: string
  isFunction: boolean
  around?: OriginalScope
}

interface GeneratedRange extends Span {
  isFunction: boolean
  definition?: OriginalScope
  callSite?: ScopePosition
  around?: GeneratedRange
}

/** Item types. The first number of an item is its type. Items of other types are skipped. */
const START_SCOPE = 1
const END_SCOPE = 2
const START_RANGE = 4
const END_RANGE = 5
const CALL_SITE = 8

const HAS_NAME = 1
const IS_STACK_FRAME = 4
const HAS_LINE = 1
const HAS_DEFINITION = 2

const MAX_ITEMS = 5_000_000
const MAX_FRAMES = 64

/** Returns the innermost span that contains the position. The spans must be nested and sorted by start. */
function innermost<T extends Span & { around?: T }>(spans: readonly T[], line: number, column: number): T | undefined {
  const isBehind = (at: number) => {
    const span = spans[at] as T
    return span.line > line || (span.line === line && span.column > column)
  }
  let found = spans[firstAbove(spans.length, isBehind) - 1]
  while (found && (line > found.endLine || (line === found.endLine && column >= found.endColumn))) found = found.around
  return found
}

/**
 * Decodes the `scopes` of a source map (ECMA-426). Scopes describe the original functions, the original function of each generated range,
 * and the calls that the minifier inlined.
 */
export class Scopes {
  readonly #scopes = new Map<number, OriginalScope[]>()
  readonly #ranges: GeneratedRange[] = []
  #sources = 0

  constructor(sections: readonly ScopesSection[]) {
    for (const { line, column, scopes, names, sources } of sections) {
      if (scopes !== undefined) this.#read(scopes, names, line, column)
      this.#sources += sources
    }
  }

  /**
   * Returns the frames at a generated position, innermost first. In outer frames, the position is the position of the call.
   * @param line the zero-based line number.
   * @param column the zero-based column number.
   * @param original the original position according to the mappings.
   */
  framesAt(line: number, column: number, original: ScopePosition): ScopeFrame[] | undefined {
    let range = innermost(this.#ranges, line, column)
    if (!range) return undefined
    const frames: ScopeFrame[] = []
    let position = original
    let definition: OriginalScope | undefined
    for (; range && frames.length < MAX_FRAMES; range = range.around) {
      definition ??= range.definition
      if (!range.callSite && !range.isFunction) continue
      frames.push(this.#frameAt(position, definition))
      definition = undefined
      if (!range.callSite) return frames
      position = range.callSite
    }
    // Add a frame for code outside all generated functions.
    frames.push(this.#frameAt(position, definition))
    return frames
  }

  /** @param definition the original function of the generated range. Used if the scopes contain no function at the position. */
  #frameAt(position: ScopePosition, definition: OriginalScope | undefined): ScopeFrame {
    const { source, line, column } = position
    let scope = innermost(this.#scopes.get(source) ?? [], line, column) ?? definition
    while (scope && !scope.isFunction) scope = scope.around
    return { position, ...(scope?.name !== undefined && { name: scope.name }) }
  }

  /** Numbers are relative to the numbers of the previous item, but the column is reset to zero on each new line. */
  #read(encoded: string, names: readonly string[], firstLine: number, firstColumn: number): void {
    const own: OriginalScope[] = []
    let source = this.#sources
    let scope: OriginalScope | undefined
    let range: GeneratedRange | undefined
    let line = 0
    let column = 0
    let name = 0
    let rangeLine = firstLine
    let rangeColumn = firstColumn
    let definition = 0
    for (const item of encoded.split(',')) {
      if (own.length + this.#ranges.length > MAX_ITEMS) return
      if (item === '' || item === 'A') {
        source++ // A source without scopes
        continue
      }
      const numbers = new VlqNumbers(item)
      switch (numbers.unsigned()) {
        case START_SCOPE: {
          const flags = numbers.unsigned()
          const lines = numbers.unsigned()
          line += lines
          column = lines === 0 ? column + numbers.unsigned() : numbers.unsigned()
          if (flags & HAS_NAME) name += numbers.signed()
          const text = flags & HAS_NAME ? names[name] : undefined
          scope = {
            ...{ source, line, column, endLine: line, endColumn: column, isFunction: (flags & IS_STACK_FRAME) !== 0 },
            ...(text !== undefined && { name: text }),
            ...(scope && { around: scope }),
          }
          own.push(scope)
          break
        }
        case END_SCOPE: {
          const lines = numbers.unsigned()
          line += lines
          column = lines === 0 ? column + numbers.unsigned() : numbers.unsigned()
          if (!scope) break
          scope.endLine = line
          scope.endColumn = column
          scope = scope.around
          if (!scope) {
            source++
            line = 0
            column = 0
          }
          break
        }
        case START_RANGE: {
          const flags = numbers.unsigned()
          if (flags & HAS_LINE) {
            rangeLine += numbers.unsigned()
            rangeColumn = numbers.unsigned()
          } else rangeColumn += numbers.unsigned()
          if (flags & HAS_DEFINITION) definition += numbers.signed()
          const of = flags & HAS_DEFINITION ? own[definition] : undefined
          range = {
            ...{ line: rangeLine, column: rangeColumn, endLine: rangeLine, endColumn: rangeColumn },
            isFunction: (flags & IS_STACK_FRAME) !== 0,
            ...(of && { definition: of }),
            ...(range && { around: range }),
          }
          this.#ranges.push(range)
          break
        }
        case END_RANGE: {
          const first = numbers.unsigned()
          if (numbers.isAtEnd) rangeColumn += first
          else {
            const at = numbers.unsigned()
            rangeColumn = first === 0 ? rangeColumn + at : at
            rangeLine += first
          }
          if (!range) break
          range.endLine = rangeLine
          range.endColumn = rangeColumn
          range = range.around
          break
        }
        case CALL_SITE:
          if (range) {
            const of = this.#sources + numbers.unsigned()
            range.callSite = { source: of, line: numbers.unsigned(), column: numbers.unsigned() }
          }
          break
        default: // Variables and their bindings are skipped
      }
    }
    for (const found of own) {
      const known = this.#scopes.get(found.source)
      if (known) known.push(found)
      else this.#scopes.set(found.source, [found])
    }
  }
}
