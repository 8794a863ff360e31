import type { JSX } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { UploadRow } from '../../src/inspector/api.ts'
import { ask, useAnswer, useLive } from './api.ts'
import { bytes, plural, time } from './format.ts'
import { addressOf } from './route.ts'
import { VersionChart } from './version-chart.tsx'
import { VirtualList } from './virtual-list.tsx'

const PAGE = 200
const ROW_HEIGHT = 52

export function UploadsPage({ values }: { values: URLSearchParams }): JSX.Element {
  const [query, setQuery] = useState(values.get('query') ?? '')
  const [kind, setKind] = useState(values.get('kind') ?? '')
  const service = values.get('service') ?? ''
  const version = values.get('version') ?? ''
  const live = useLive('upload')
  const { data: summary = [] } = useAnswer('summary', {}, live)
  const kinds = [...new Map(summary.map((row) => [row.kind, row.label]))].sort(([, a], [, b]) => (a < b ? -1 : 1))
  const filter = { query, kind, service, version }
  const { rows, total, load, error } = usePages(filter, live)
  return (
    <>
      <search class="filters">
        <label>
          <span>Search</span>
          <input
            type="search"
            placeholder="service, version, path or id"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
        <label>
          <span>Kind</span>
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="">all</option>
            {kinds.map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {(service || version) && (
          <a class="chip" href={addressOf('uploads')}>
            {service} {version} <span aria-hidden="true">×</span>
            <span class="hidden">show all</span>
          </a>
        )}
      </search>
      <VersionChart summary={summary} />
      <p role="status">{error ?? plural(total, 'upload')}</p>
      <VirtualList label="Uploads" count={total} rowHeight={ROW_HEIGHT} onRange={load}>
        {(index) => <Row row={rows.get(index)} />}
      </VirtualList>
    </>
  )
}

function Row({ row }: { row: UploadRow | undefined }): JSX.Element {
  if (!row) return <span class="muted">…</span>
  const { id, label, service, version, path, buildId, uuids, debugId, bytes: size, origin, updatedAt } = row
  return (
    <a class="upload" href={addressOf('upload', { id })}>
      <span class="what">
        <b>{path || buildId || uuids || service}</b>
        <small>
          {label} · {service} {version}
          {debugId ? ` · debug id ${debugId}` : ''}
        </small>
      </span>
      <span class="numbers">
        <span>{bytes(size)}</span>
        <small>
          {time(updatedAt)}
          {origin ? ` · ${origin}` : ''}
        </small>
      </span>
    </a>
  )
}

interface Pages {
  rows: Map<number, UploadRow>
  total: number
  error?: string
  load(first: number, last: number): void
}

/** Rows by their place in the list, fetched a page at a time when they come into view. */
function usePages(filter: Record<string, string>, live: number): Pages {
  const key = JSON.stringify(filter)
  const [state, setState] = useState<{ key: string; rows: Map<number, UploadRow>; total: number; error?: string }>({
    key,
    rows: new Map(),
    total: 0,
  })
  const fetchPage = useCallback(
    async (page: number, isFresh: boolean) => {
      try {
        const { total, items } = await ask('uploads', {
          ...filter,
          offset: page * PAGE,
          limit: PAGE,
        })
        setState((before) => {
          const rows = isFresh || before.key !== key ? new Map<number, UploadRow>() : new Map(before.rows)
          for (const [index, item] of items.entries()) rows.set(page * PAGE + index, item)
          return { key, rows, total }
        })
      } catch (error) {
        setState((before) => ({ ...before, error: (error as Error).message }))
      }
    },
    [key],
  )
  useEffect(() => {
    void fetchPage(0, true)
  }, [key, live])
  const load = useCallback(
    (first: number, last: number) => {
      for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) {
        if (!state.rows.has(page * PAGE) && page * PAGE < state.total) void fetchPage(page, false)
      }
    },
    [state, fetchPage],
  )
  return { rows: state.rows, total: state.total, load, ...(state.error !== undefined && { error: state.error }) }
}
