import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface Rows {
  count: number
  /** Height of a row in pixels. */
  rowHeight: number
  /** Number of extra rows above and below the visible rows, so that fast scrolling shows no gaps. */
  margin: number
  /** Initial height in pixels, used until the element has been measured. */
  height: number
}

/** Returns the indexes of the first and last rows to render. If there are no rows, `last` is less than `first`. */
export function useRowsInView(
  box: RefObject<HTMLElement | null>,
  { count, rowHeight, margin, height }: Rows,
): { first: number; last: number } {
  const [view, setView] = useState({ top: 0, height })
  useEffect(() => {
    const element = box.current as HTMLElement
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight })
    // Browsers report an error if a size changes inside a resize observer, so the element is measured in the next frame.
    const observer = new ResizeObserver(() => requestAnimationFrame(measure))
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  return {
    first: Math.max(0, Math.floor(view.top / rowHeight) - margin),
    last: Math.min(count - 1, Math.ceil((view.top + view.height) / rowHeight) + margin),
  }
}

interface VirtualListProps {
  label: string
  count: number
  /** Height of a row in pixels. */
  rowHeight: number
  onRange(first: number, last: number): void
  children(index: number): ComponentChildren
}

const MARGIN = 10

export function VirtualList({ label, count, rowHeight, onRange, children }: VirtualListProps): JSX.Element {
  const box = useRef<HTMLElement>(null)
  const { first, last } = useRowsInView(box, { count, rowHeight, margin: MARGIN, height: 600 })
  useEffect(() => {
    if (last >= first) onRange(first, last)
  }, [first, last, onRange])
  const rows: JSX.Element[] = []
  for (let index = first; index <= last; index++) {
    rows.push(
      <li
        key={index}
        style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
        aria-setsize={count}
        aria-posinset={index + 1}
      >
        {children(index)}
      </li>,
    )
  }
  return (
    <section class="virtual" ref={box} aria-label={label} tabIndex={0}>
      <ul style={{ height: `${count * rowHeight}px` }}>{rows}</ul>
    </section>
  )
}
