import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Token } from './highlight.ts'
import { inItsColumns } from './steering.ts'
import { useRowsInView } from './virtual-list.tsx'

export interface Place {
  line: number
  column?: number | undefined
}

interface CodeLinesProps {
  label: string
  lines: readonly string[]
  tokens: readonly (readonly Token[])[] | undefined
  /** Marked position, which is scrolled into view. Lines and columns are one-based. */
  at: Place
  onPick?(place: Required<Place>): void
}

/** Height of a line in pixels. Must match the style sheet. */
const LINE_HEIGHT = 20
/** Number of extra lines to render above and below the visible lines. */
const MARGIN = 20

/** Renders only the visible lines. Users can select a position with a click and move it with the arrow keys. */
export function CodeLines({ label, lines, tokens, at, onPick }: CodeLinesProps): JSX.Element {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = box.current as HTMLElement
    const top = (at.line - 1) * LINE_HEIGHT
    const isInView = top >= element.scrollTop && top + LINE_HEIGHT * 2 <= element.scrollTop + element.clientHeight
    if (!isInView) element.scrollTop = top - element.clientHeight / 2
    const caret = element.querySelector('.caret') as HTMLElement | null
    if (!caret) return
    const left = caret.offsetLeft
    if (left < element.scrollLeft || left > element.scrollLeft + element.clientWidth - 80)
      element.scrollLeft = Math.max(0, left - element.clientWidth / 2)
  }, [lines, at.line, at.column])
  const { first, last } = useRowsInView(box, {
    count: lines.length,
    rowHeight: LINE_HEIGHT,
    margin: MARGIN,
    height: 480,
  })
  const rows: JSX.Element[] = []
  for (let index = first; index <= last; index++) {
    const line = index + 1
    rows.push(
      <CodeLine
        key={line}
        line={line}
        text={lines[index] ?? ''}
        tokens={tokens?.[index]}
        at={line === at.line ? at : undefined}
        {...(onPick && { onPick })}
      />,
    )
  }
  return (
    <section
      class="code-lines"
      ref={box}
      aria-label={label}
      tabIndex={0}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
        const line = at.line + step
        if (!onPick || step === 0 || line < 1 || line > lines.length) return
        event.preventDefault()
        onPick({ line, column: 1 })
      }}
    >
      <div style={{ height: `${lines.length * LINE_HEIGHT}px` }}>
        <div style={{ transform: `translateY(${first * LINE_HEIGHT}px)` }}>{rows}</div>
      </div>
    </section>
  )
}

interface CodeLineProps {
  line: number
  text: string
  tokens?: readonly Token[] | undefined
  at?: Place | undefined
  onPick?(place: Required<Place>): void
}

export function CodeLine({ line, text, tokens, at, onPick }: CodeLineProps): JSX.Element {
  return (
    <div
      class={at ? 'code-line at' : 'code-line'}
      data-line={line}
      onClick={onPick && ((event) => onPick({ line, column: columnAt(event) }))}
    >
      <i>{line}</i>
      <code>
        {(tokens ?? [{ text, kind: '' }]).map((token, index) =>
          token.kind === '' ? (
            inItsColumns(token.text)
          ) : (
            <span key={index} class={`tok-${token.kind}`}>
              {inItsColumns(token.text)}
            </span>
          ),
        )}
        {at?.column !== undefined && (
          <span class="caret" aria-hidden="true" style={{ left: `${widthOf(text.slice(0, at.column - 1))}ch` }} />
        )}
      </code>
    </div>
  )
}

const TAB = 4

/** Returns the width in character cells. East Asian characters take up two cells. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text)
    width +=
      character === '\t'
        ? TAB - (width % TAB)
        : /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/.test(character)
          ? 2
          : 1
  return width
}

/** Returns the one-based column, or 1 if the browser does not report a position. */
function columnAt(event: MouseEvent): number {
  const code = (event.currentTarget as HTMLElement).querySelector('code') as HTMLElement
  const { node, offset } = caretAt(event.clientX, event.clientY) ?? {}
  if (!node || offset === undefined || !code.contains(node)) return 1
  const before = document.createRange()
  before.setStart(code, 0)
  before.setEnd(node, offset)
  return before.toString().length + 1
}

function caretAt(x: number, y: number): { node: Node; offset: number } | undefined {
  const own = document as Document & {
    caretPositionFromPoint?(x: number, y: number): { offsetNode: Node; offset: number } | null
  }
  const position = own.caretPositionFromPoint?.(x, y)
  if (position) return { node: position.offsetNode, offset: position.offset }
  const range = document.caretRangeFromPoint?.(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined
}
