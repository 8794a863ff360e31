import type { JSX } from 'preact'
import type { VersionSummary } from '../../src/inspector/api.ts'
import { bytes, plural } from './format.ts'
import { addressOf } from './route.ts'

/** Versions shown, the newest. */
const MAX_BARS = 8

interface Bar {
  service: string
  version: string
  total: number
  parts: { kind: string; bytes: number; artifacts: number }[]
}

/** The sizes of the newest versions, each bar stacked by kind. */
export function VersionChart({ summary }: { summary: readonly VersionSummary[] }): JSX.Element | null {
  const bars = barsOf(summary)
  if (bars.length === 0) return null
  const kinds = [...new Set(summary.map(({ label }) => label))].sort()
  const largest = Math.max(...bars.map(({ total }) => total))
  return (
    <section class="chart" aria-labelledby="chart-title">
      <h2 id="chart-title">Size by version</h2>
      <ul>
        {bars.map(({ service, version, total, parts }) => (
          <li key={`${service} ${version}`}>
            <a href={addressOf('uploads', { service, version })}>
              {service} {version}
            </a>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={describe(parts)}>
              {stacked(parts, largest).map(({ kind, x, width }) => (
                <rect key={kind} class={`kind-${kinds.indexOf(kind) % 6}`} x={x} y="0" width={width} height="10">
                  <title>{kind}</title>
                </rect>
              ))}
            </svg>
            <span>{bytes(total)}</span>
          </li>
        ))}
      </ul>
      <p class="legend">
        {kinds.map((kind, index) => (
          <span key={kind}>
            <i class={`kind-${index % 6}`} aria-hidden="true" /> {kind}
          </span>
        ))}
      </p>
    </section>
  )
}

function barsOf(summary: readonly VersionSummary[]): Bar[] {
  const bars = new Map<string, Bar>()
  for (const { service, version, label: kind, bytes: size, artifacts } of summary) {
    const key = `${service}\n${version}`
    const bar = bars.get(key) ?? { service, version, total: 0, parts: [] }
    bars.set(key, bar)
    bar.total += size
    bar.parts.push({ kind, bytes: size, artifacts })
  }
  return [...bars.values()].slice(0, MAX_BARS)
}

function stacked(parts: Bar['parts'], largest: number): { kind: string; x: number; width: number }[] {
  let x = 0
  return parts.map(({ kind, bytes: size }) => {
    const width = (size / largest) * 100
    x += width
    return { kind, x: x - width, width }
  })
}

function describe(parts: Bar['parts']): string {
  return parts
    .map(({ kind, bytes: size, artifacts }) => `${kind}: ${plural(artifacts, 'file')}, ${bytes(size)}`)
    .join('; ')
}
