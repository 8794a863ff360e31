import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy'
import type { JSX } from 'preact'
import type { SourceShare } from '../../src/inspector/api.ts'
import { bytes } from './format.ts'
import { addressOf } from './route.ts'

const WIDTH = 1000
const HEIGHT = 360
/** Smaller ones cannot be seen; the table has them. */
const MAX_SOURCES = 300
const WIDE_ENOUGH_FOR_A_NAME = 90

/** Which original source how much of the minified file comes from. */
export function Treemap({ sources, uploadId }: { sources: readonly SourceShare[]; uploadId: string }): JSX.Element {
  const largest = [...sources].sort((a, b) => b.bytes - a.bytes)
  const total = sources.reduce((sum, source) => sum + source.bytes, 0)
  const root = hierarchy<{ children?: SourceShare[] } | SourceShare>({ children: largest.slice(0, MAX_SOURCES) }).sum(
    (node) => ('bytes' in node ? node.bytes : 0),
  )
  const show = (index: number) => {
    location.hash = addressOf('upload', { id: uploadId, source: String(index) })
  }
  const leaves = treemap<typeof root.data>().tile(treemapSquarify).size([WIDTH, HEIGHT]).padding(1)(root).leaves()
  return (
    <section aria-labelledby="treemap-title">
      <h2 id="treemap-title">Where its {bytes(total)} come from</h2>
      <svg
        class="treemap"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label="The table below has the same figures"
      >
        {leaves.map((leaf) => {
          const source = leaf.data as SourceShare
          const width = leaf.x1 - leaf.x0
          return (
            <g key={source.index} onClick={() => show(source.index)}>
              <rect
                class={`kind-${source.index % 6}`}
                x={leaf.x0}
                y={leaf.y0}
                width={width}
                height={leaf.y1 - leaf.y0}
              />
              {width > WIDE_ENOUGH_FOR_A_NAME && leaf.y1 - leaf.y0 > 20 && (
                <text x={leaf.x0 + 5} y={leaf.y0 + 15}>
                  {shortened(source.name, Math.floor(width / 7))}
                </text>
              )}
              <title>{`${source.name}: ${bytes(source.bytes)}`}</title>
            </g>
          )
        })}
      </svg>
      <details>
        <summary>All sources as a table</summary>
        <section class="scroll" tabIndex={0} aria-label="Sources">
          <table>
            <thead>
              <tr>
                <th scope="col">source</th>
                <th scope="col">minified size</th>
                <th scope="col">has its text</th>
              </tr>
            </thead>
            <tbody>
              {largest.map(({ index, name, bytes: size, hasContent }) => (
                <tr key={index}>
                  <td>
                    <a href={addressOf('upload', { id: uploadId, source: String(index) })}>{name}</a>
                  </td>
                  <td>{bytes(size)}</td>
                  <td>{hasContent ? 'yes' : 'no'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  )
}

/** The end of a path says more than its start. */
function shortened(name: string, length: number): string {
  return name.length > length ? `…${name.slice(name.length - length + 1)}` : name
}
