import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface Rows {
  count: number
  /** In pixels. */
  rowHeight: number
  /** Extra rows outside the view, so that fast scrolling shows no gaps. */
  margin: number
  /** Height of the box in pixels, before it is measured. */
  height: number
}

/** The first and last visible row of a scrolling box. If there are none, the last is before the first. */
export function useRowsInView(
  box: RefObject<HTMLElement | null>,
  { count, rowHeight, margin, height }: Rows,
): { first: number; last: number } {
  const [view, setView] = useState({ top: 0, height })
  useEffect(() => {
    const element = box.current as HTMLElement
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight })
    // After the layout, because changing it inside the observer is an error.
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
