import type { MapProof, Rejection, ReleaseDetails, ReleaseProof, UploadRow } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { useCallback, useState } from 'preact/hooks'
import { useAnswer } from './api.ts'
import { useLive } from './connection.ts'
import { Fact, Prose } from './fact.tsx'
import { age, bytes, time } from './format.ts'
import { kindName, partName, uploadName } from './names.ts'
import { ProofFact, ProofProblems, ProofTag } from './proof.tsx'
import { rejectedFile } from './rejected.ts'
import { CommitLink } from './repository.tsx'
import { addressOf, replaceAddress } from './route.ts'
import { usePages } from './rows.ts'
import { SearchField } from './search-field.tsx'
import { Pending } from './state.tsx'
import { seen } from './steering.ts'
import { VirtualList } from './virtual-list.tsx'
import { LANGUAGE, t, type Word } from './words.ts'

const ROW_HEIGHT = 56

export function ReleasePage({ values }: { values: URLSearchParams }): JSX.Element {
  const service = values.get('service') ?? ''
  const version = values.get('version') ?? ''
  const live = useLive('upload', 'rejection')
  const { data: release, ...pending } = useAnswer('release', { service, version }, live)
  return (
    <>
      <Crumbs service={service} />
      <h1>{seen(version) || (service ? t('withoutVersion') : t('withoutService'))}</h1>
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
          <a href={addressOf('releases', { service })}>{seen(service)}</a>
        </>
      )}
      {version !== undefined && (
        <>
          <span aria-hidden="true">/</span>
          <a href={addressOf('release', { service, version })}>{seen(version) || t('withoutVersion')}</a>
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
  const { service, version, platforms, others, previous } = release
  const { data: proof } = useAnswer('proof', { service, version }, live)
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
              {partName(name)} · {files.toLocaleString()} · {bytes(size)}
            </span>
          ))}
        </Fact>
        <ProofFact proof={proof} />
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
      <ProofProblems proof={proof} />
      <Files release={release} values={values} live={live} proof={proof} />
    </>
  )
}

interface FilesProps extends ReleaseProps {
  proof: ReleaseProof | undefined
}

function Files({ release, values, live, proof }: FilesProps): JSX.Element {
  const { service, version, kinds, rejections } = release
  const [query, setQuery] = useState(values.get('query') ?? '')
  const kind = values.get('kind') ?? undefined
  const { rows, total, load, error } = usePages('uploads', { service, version, kind, query: query || undefined }, live)
  const refused = kind === undefined ? rejections.filter((it) => rejectedFile(it).includes(query)) : []
  const tried = new Map(proof?.items.map((it) => [it.id, it]))
  const loadAccepted = useCallback(
    (first: number, last: number) => load(Math.max(0, first - refused.length), last - refused.length),
    [load, refused.length],
  )
  const count = total === undefined ? undefined : refused.length + total
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
                  {kindName(it)}
                </option>
              ))}
            </select>
          </label>
        )}
        <p role="status" class="muted">
          {error ?? (total === undefined ? t('loading') : t('nFiles', { n: total }))}
          {refused.length > 0 && `, ${t('nRefused', { n: refused.length })}`}
        </p>
      </search>
      {count === 0 ? (
        <p class="nothing">{t('nothingMatches')}</p>
      ) : (
        <VirtualList label={t('files')} count={count ?? 0} rowHeight={ROW_HEIGHT} onRange={loadAccepted}>
          {(index) => {
            const rejection = refused[index]
            if (rejection) return <RefusedRow rejection={rejection} />
            const row = rows.get(index - refused.length)
            return <FileRow row={row} proof={row && tried.get(row.id)} />
          }}
        </VirtualList>
      )}
    </section>
  )
}

function RefusedRow({ rejection }: { rejection: Rejection }): JSX.Element {
  const { id, message, time: at, client } = rejection
  return (
    <div class="row">
      <span class="what">
        <a class="title" href={addressOf('rejections', { id })}>
          {rejectedFile(rejection)}
        </a>
        <small title={message[LANGUAGE].replaceAll('`', '')}>
          <span class="tag bad">{t('refused')}</span> <Prose text={message[LANGUAGE]} />
        </small>
      </span>
      <span class="numbers">
        <span>–</span>
        <small>
          <time title={time(at)}>{age(at)}</time>
          {client ? ` · ${client}` : ''}
        </small>
      </span>
    </div>
  )
}

function FileRow({ row, proof }: { row: UploadRow | undefined; proof: MapProof | undefined }): JSX.Element {
  if (!row) return <span class="muted row-pending">…</span>
  const { id, kind, label, debugId, buildId, uuids, bytes: size, origin, updatedAt } = row
  const known = debugId ?? buildId ?? uuids?.split(',')[0]
  return (
    <div class="row">
      <span class="what">
        <a class="title" href={addressOf('upload', { id })}>
          {uploadName(row)}
        </a>
        <small>
          <span class="tag">{kindName({ kind, label })}</span>
          {proof && <ProofTag proof={proof} />}
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
