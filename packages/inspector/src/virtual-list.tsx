import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useRowsInView } from './rows-in-view.ts'

interface VirtualListProps {
  label: string
  count: number
  /** In pixels. */
  rowHeight: number
  /** Called with the visible rows. */
  onRange(first: number, last: number): void
  children(index: number): ComponentChildren
}

/** Extra rows outside the view, so that fast scrolling shows no gaps. */
const MARGIN = 10

/** A list that renders only the visible rows. */
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
