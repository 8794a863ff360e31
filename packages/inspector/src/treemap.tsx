import type { SourceShare } from '@symup/intake/inspector'
import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { DataTable } from './data-table.tsx'
import { bytes } from './format.ts'
import { addressOf } from './route.ts'
import { t } from './words.ts'

/** Smaller sources would be too small to see, but the table lists them. */
const MAX_SOURCES = 300
/** Approximate width of a character in a label, in pixels. */
const CHARACTER_WIDTH = 6.8
const LEAST_WIDTH = 56
const HEIGHTS = { wide: 280, narrow: 360 }

export function Treemap({ sources, uploadId }: { sources: readonly SourceShare[]; uploadId: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    // Browsers report an error if the width changes inside the observer, so it changes after the layout.
    const observer = new ResizeObserver(([entry]) =>
      requestAnimationFrame(() => setWidth(Math.floor(entry?.contentRect.width ?? 0))),
    )
    observer.observe(box.current as HTMLDivElement)
    return () => observer.disconnect()
  }, [])
  const height = width < 600 ? HEIGHTS.narrow : HEIGHTS.wide
  const largest = [...sources].sort((a, b) => b.bytes - a.bytes)
  const total = sources.reduce((sum, source) => sum + source.bytes, 0)
  const root = hierarchy<{ children?: SourceShare[] } | SourceShare>({ children: largest.slice(0, MAX_SOURCES) }).sum(
    (node) => ('bytes' in node ? node.bytes : 0),
  )
  const leaves = treemap<typeof root.data>().tile(treemapSquarify).size([width, height]).padding(2)(root).leaves()
  const addressOfSource = (index: number) => addressOf('upload', { id: uploadId, source: String(index) })
  return (
    <section aria-labelledby="treemap-title">
      <h2 id="treemap-title">{t('whereFrom', { size: bytes(total) })}</h2>
      <div class="treemap" ref={box} style={{ height: `${height}px` }}>
        {leaves.map(({ data, x0, x1, y0, y1 }, rank) => {
          const { index, name, bytes: size } = data as SourceShare
          if (x1 - x0 < 2 || y1 - y0 < 2) return null
          return (
            <a
              key={index}
              href={addressOfSource(index)}
              tabIndex={x1 - x0 >= LEAST_WIDTH ? 0 : -1}
              title={`${name}: ${bytes(size)}`}
              style={{
                left: `${x0}px`,
                top: `${y0}px`,
                width: `${x1 - x0}px`,
                height: `${y1 - y0}px`,
                // The largest source has the strongest color.
                '--rank': Math.min(rank, 5),
              }}
            >
              {x1 - x0 >= LEAST_WIDTH && y1 - y0 >= 22 && shortened(name, Math.floor((x1 - x0 - 12) / CHARACTER_WIDTH))}
              {x1 - x0 >= LEAST_WIDTH && y1 - y0 >= 44 && <small>{bytes(size)}</small>}
            </a>
          )
        })}
      </div>
      <details>
        <summary>{t('sourcesTable')}</summary>
        <DataTable
          label={t('sourcesTable')}
          rows={largest}
          keyOf={({ index }) => String(index)}
          columns={[
            { title: t('source'), cell: ({ index, name }) => <a href={addressOfSource(index)}>{name}</a> },
            { title: t('minifiedSize'), isNumber: true, cell: (source) => bytes(source.bytes) },
            { title: t('hasText'), cell: ({ hasContent }) => t(hasContent ? 'yes' : 'no') },
          ]}
        />
      </details>
    </section>
  )
}

/** The end of a path is more informative than its start. */
function shortened(name: string, length: number): string {
  return name.length > length ? `…${name.slice(name.length - length + 1)}` : name
}
