import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface Rows {
  count: number
  /** Pixels. */
  rowHeight: number
  /** Rows beyond the view, so that fast scrolling shows no gaps. */
  margin: number
  /** Pixels of the box until it is measured. */
  height: number
}

/** The first and the last row that a box shows as it scrolls; the last is before the first where there are none. */
export function useRowsInView(
  box: RefObject<HTMLElement | null>,
  { count, rowHeight, margin, height }: Rows,
): { first: number; last: number } {
  const [view, setView] = useState({ top: 0, height })
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
  return {
    first: Math.max(0, Math.floor(view.top / rowHeight) - margin),
    last: Math.min(count - 1, Math.ceil((view.top + view.height) / rowHeight) + margin),
  }
}
