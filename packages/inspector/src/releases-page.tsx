import type { ReleaseProof, ReleaseRow, ServiceRow } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAnswer } from './api.ts'
import { useLive } from './connection.ts'
import { FirstMinute } from './first-minute.tsx'
import { age, bytes, time } from './format.ts'
import { kindName } from './names.ts'
import { ProofBadge } from './proof.tsx'
import { CommitLink } from './repository.tsx'
import { addressOf, replaceAddress } from './route.ts'
import { usePages } from './rows.ts'
import { SearchField } from './search-field.tsx'
import { Pending } from './state.tsx'
import { seen } from './steering.ts'
import { VirtualList } from './virtual-list.tsx'
import { t } from './words.ts'

const ROW_HEIGHT = 64

export function ReleasesPage({ values }: { values: URLSearchParams }): JSX.Element {
  const live = useLive('upload', 'rejection')
  const { data: services, ...pending } = useAnswer('services', {}, live)
  if (!services) return <Pending {...pending} />
  return (
    <>
      <h1>{t('releases')}</h1>
      {services.length === 0 ? <FirstMinute /> : <Releases services={services} values={values} live={live} />}
    </>
  )
}

interface ReleasesProps {
  services: readonly ServiceRow[]
  values: URLSearchParams
  live: number
}

function Releases({ services, values, live }: ReleasesProps): JSX.Element {
  const [query, setQuery] = useState(values.get('query') ?? '')
  const service = values.get('service') ?? undefined
  const filter = { service, query: query || undefined }
  const { rows, total, load, error } = usePages('releases', filter, live)
  const search = (text: string) => {
    setQuery(text)
    replaceAddress('releases', { service, query: text || undefined })
  }
  return (
    <div class="with-sidebar">
      <Services services={services} current={service} query={query} />
      <div>
        <search class="filters">
          <SearchField value={query} onSearch={search} />
          <p role="status" class="muted">
            {error ?? (total === undefined ? t('loading') : t('nReleases', { n: total }))}
          </p>
        </search>
        {total === 0 ? (
          <p class="nothing">
            {t('nothingMatches')}{' '}
            <a href={addressOf('releases')} onClick={() => setQuery('')}>
              {t('clearFilters')}
            </a>
          </p>
        ) : (
          <VirtualList label={t('releases')} count={total ?? 0} rowHeight={ROW_HEIGHT} onRange={load}>
            {(index) => <Row row={rows.get(index)} />}
          </VirtualList>
        )}
      </div>
    </div>
  )
}

interface ServicesProps {
  services: readonly ServiceRow[]
  current: string | undefined
  query: string
}

function Services({ services, current, query }: ServicesProps): JSX.Element {
  const kept = query || undefined
  const chosen = useRef<HTMLAnchorElement>(null)
  // If there are hundreds of services, the selected service may be out of view.
  useEffect(() => chosen.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [current])
  return (
    <nav class="sidebar" aria-label={t('services')}>
      <ul>
        <li>
          <a href={addressOf('releases', { query: kept })} aria-current={current === undefined ? 'true' : undefined}>
            <b>{t('allServices')}</b>
            <span>{services.reduce((sum, { releases }) => sum + releases, 0).toLocaleString()}</span>
          </a>
        </li>
        {services.map(({ service, releases }) => (
          <li key={service}>
            <a
              ref={current === service ? chosen : undefined}
              href={addressOf('releases', { service, query: kept })}
              aria-current={current === service ? 'true' : undefined}
            >
              <b>{seen(service) || t('withoutService')}</b>
              <span>{releases.toLocaleString()}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Delay in milliseconds between the end of scrolling and the check of the visible releases. */
const SETTLE_MS = 300

function useProof({ service, version, newest }: ReleaseRow): ReleaseProof | undefined {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [])
  return useAnswer('proof', isSettled ? { service, version } : undefined, newest).data
}

function Row({ row }: { row: ReleaseRow | undefined }): JSX.Element {
  return row ? <Release key={`${row.service} ${row.version}`} row={row} /> : <span class="muted row-pending">…</span>
}

function Release({ row }: { row: ReleaseRow }): JSX.Element {
  const { service, version, artifacts, bytes: size, newest, kinds, commit, refused } = row
  return (
    <div class="row">
      <span class="what">
        <a class="title" href={addressOf('release', { service, version })}>
          {service && <span class="muted">{seen(service)}</span>}{' '}
          {seen(version) || (service ? t('withoutVersion') : t('withoutService'))}
        </a>
        <small>
          <ProofBadge proof={useProof(row)} />
          {refused > 0 && <span class="tag bad">{t('nRefused', { n: refused })}</span>}
          {kinds.map(({ kind, label }) => (
            <span key={kind} class="tag">
              {kindName({ kind, label })}
            </span>
          ))}
        </small>
      </span>
      <span class="commit">
        <CommitLink commit={commit} />
      </span>
      <span class="numbers">
        <span>{bytes(size)}</span>
        <small>
          {t('nFiles', { n: artifacts })} · <time title={time(newest)}>{age(newest)}</time>
        </small>
      </span>
    </div>
  )
}
