import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps {
  label: string
  count: number
  /** Pixels. */
  rowHeight: number
  /** Told which rows are in view. */
  onRange(first: number, last: number): void
  children(index: number): ComponentChildren
}

/** Rows beyond the view, so that fast scrolling shows no gaps. */
const MARGIN = 10

/** A list that holds only the rows in view, however many there are. */
export function VirtualList({ label, count, rowHeight, onRange, children }: VirtualListProps): JSX.Element {
  const box = useRef<HTMLElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  useEffect(() => {
    const element = box.current as HTMLElement
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight })
    // After the layout that it tells of: another one within it is an error of the page.
    const observer = new ResizeObserver(() => requestAnimationFrame(measure))
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - MARGIN)
  const last = Math.min(count - 1, Math.ceil((view.top + view.height) / rowHeight) + MARGIN)
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
