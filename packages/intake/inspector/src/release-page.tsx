import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ReleaseDetails, UploadRow } from '../../src/inspector/api.ts'
import { useAnswer } from './api.ts'
import { useLive } from './connection.ts'
import { age, bytes, time } from './format.ts'
import { usePages } from './pages.ts'
import { Rejections } from './rejections-page.tsx'
import { CommitLink } from './repository.tsx'
import { addressOf, replaceAddress } from './route.ts'
import { SearchField } from './search-field.tsx'
import { Pending } from './state.tsx'
import { VirtualList } from './virtual-list.tsx'
import { t, type Word } from './words.ts'

const ROW_HEIGHT = 56

export function ReleasePage({ values }: { values: URLSearchParams }): JSX.Element {
  const service = values.get('service') ?? ''
  const version = values.get('version') ?? ''
  const live = useLive('upload', 'rejection')
  const { data: release, ...pending } = useAnswer('release', { service, version }, live)
  return (
    <>
      <Crumbs service={service} />
      <h1>{version || (service ? t('withoutVersion') : t('withoutService'))}</h1>
      {release ? <Release release={release} values={values} live={live} /> : <Pending {...pending} />}
    </>
  )
}

export function Crumbs({ service, version }: { service: string; version?: string }): JSX.Element {
  return (
    <p class="crumbs">
      <a href={addressOf('releases')}>{t('releases')}</a>
      {service && (
        <>
          <span aria-hidden="true">/</span>
          <a href={addressOf('releases', { service })}>{service}</a>
        </>
      )}
      {version !== undefined && (
        <>
          <span aria-hidden="true">/</span>
          <a href={addressOf('release', { service, version })}>{version || t('withoutVersion')}</a>
        </>
      )}
    </p>
  )
}

interface ReleaseProps {
  release: ReleaseDetails
  values: URLSearchParams
  live: number
}

function Release({ release, values, live }: ReleaseProps): JSX.Element {
  const { service, version, kinds, others, previous, rejections } = release
  const platforms = [...new Set(kinds.map(({ platform }) => platform))]
  const compare = (from: string) => {
    location.hash = addressOf('compare', { service, from, to: version })
  }
  return (
    <>
      <dl class="facts">
        <Fact name="size">
          {bytes(release.bytes)} <small>{t('nFiles', { n: release.artifacts })}</small>
        </Fact>
        <Fact name="lastUpload">
          <time title={time(release.newest)}>{age(release.newest)}</time>
        </Fact>
        <Fact name="firstUpload">
          <time title={time(release.oldest)}>{age(release.oldest)}</time>
        </Fact>
        <Fact name="platform">{platforms.map((it) => t(it as Word)).join(', ')}</Fact>
        <Fact name="commit">
          {release.commit ? <CommitLink commit={release.commit} /> : <span class="muted">–</span>}
        </Fact>
        <Fact name="stored">
          {release.parts.map(({ name, files, bytes: size }) => (
            <span key={name} class="tag">
              {name.replaceAll('_', ' ')} · {files.toLocaleString()} · {bytes(size)}
            </span>
          ))}
        </Fact>
      </dl>
      <p class="actions">
        <a class="button" href={addressOf('stack', { service, version })}>
          {t('resolveWith')}
        </a>
        {others.length > 0 && (
          <label class="inline">
            <span>{t('compareWith')}</span>
            <select value="" onChange={(event) => compare(event.currentTarget.value)}>
              <option value="">{t('chooseVersion')}</option>
              {[...new Set([...(previous === null ? [] : [previous]), ...others])].map((name) => (
                <option key={name} value={name}>
                  {name || t('withoutVersion')}
                </option>
              ))}
            </select>
          </label>
        )}
      </p>
      {rejections.length > 0 && (
        <section aria-labelledby="refused-title">
          <h2 id="refused-title">{t('refusedOfRelease')}</h2>
          <Rejections rejections={rejections} />
        </section>
      )}
      <Files release={release} values={values} live={live} />
    </>
  )
}

export function Fact({ name, children }: { name: Word; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{t(name)}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Files({ release: { service, version, kinds }, values, live }: ReleaseProps): JSX.Element {
  const [query, setQuery] = useState(values.get('query') ?? '')
  const kind = values.get('kind') ?? undefined
  const { rows, total, load, error } = usePages('uploads', { service, version, kind, query: query || undefined }, live)
  const filter = (next: { query?: string | undefined; kind?: string | undefined }) =>
    replaceAddress('release', { service, version, kind, query: query || undefined, ...next })
  return (
    <section>
      <h2>{t('files')}</h2>
      <search class="filters">
        <SearchField
          value={query}
          onSearch={(text) => {
            setQuery(text)
            filter({ query: text || undefined })
          }}
        />
        {kinds.length > 1 && (
          <label class="inline">
            <span>{t('kind')}</span>
            <select value={kind ?? ''} onChange={(event) => filter({ kind: event.currentTarget.value || undefined })}>
              <option value="">{t('all')}</option>
              {kinds.map((it) => (
                <option key={it.kind} value={it.kind}>
                  {it.label}
                </option>
              ))}
            </select>
          </label>
        )}
        <p role="status" class="muted">
          {error ?? (total === undefined ? t('loading') : t('nFiles', { n: total }))}
        </p>
      </search>
      {total === 0 ? (
        <p class="nothing">{t('nothingMatches')}</p>
      ) : (
        <VirtualList label={t('files')} count={total ?? 0} rowHeight={ROW_HEIGHT} onRange={load}>
          {(index) => <FileRow row={rows.get(index)} />}
        </VirtualList>
      )}
    </section>
  )
}

function FileRow({ row }: { row: UploadRow | undefined }): JSX.Element {
  if (!row) return <span class="muted row-pending">…</span>
  const { id, label, title, debugId, buildId, uuids, bytes: size, origin, updatedAt } = row
  const known = debugId ?? buildId ?? uuids?.split(',')[0]
  return (
    <div class="row">
      <span class="what">
        <a class="title" href={addressOf('upload', { id })}>
          {title}
        </a>
        <small>
          <span class="tag">{label}</span>
          {known && <code>{known}</code>}
        </small>
      </span>
      <span class="numbers">
        <span>{bytes(size)}</span>
        <small>
          <time title={time(updatedAt)}>{age(updatedAt)}</time>
          {origin ? ` · ${origin}` : ''}
        </small>
      </span>
    </div>
  )
}
