import type { ReleaseProof, SourceShare, UploadDetails } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { useAnswer } from './api.ts'
import { CodeView } from './code-view.tsx'
import { DataTable, TableSection } from './data-table.tsx'
import { Fact } from './fact.tsx'
import { age, bytes, difference, time } from './format.ts'
import { kindName, partName, readable, uploadName } from './names.ts'
import { ProofFact, ProofProblems } from './proof.tsx'
import { Crumbs } from './release-page.tsx'
import { CommitLink } from './repository.tsx'
import { addressOf } from './route.ts'
import { Pending } from './state.tsx'
import { t } from './words.ts'

/** Name of the part that contains the source map. If an upload has this part, users can explore its source map. */
const HAS_MAP = 'source_map'

export function UploadPage({ values }: { values: URLSearchParams }): JSX.Element {
  const id = values.get('id') ?? ''
  return <Upload key={id} id={id} values={values} />
}

function Upload({ id, values }: { id: string; values: URLSearchParams }): JSX.Element {
  const { data: upload, ...pending } = useAnswer('upload', { id })
  const hasMap = upload?.parts.some(({ name }) => name === HAS_MAP) === true
  const { data: proof } = useAnswer('proof', { id })
  const { data: sources, ...waiting } = useAnswer('sources', hasMap ? { id } : undefined)
  if (!upload) return <Pending {...pending} />
  return (
    <>
      <Crumbs service={upload.service} version={upload.version} />
      <h1 class="break">{uploadName(upload)}</h1>
      <Facts upload={upload} sources={sources} proof={proof} />
      <ProofProblems proof={proof} />
      {hasMap && !sources && <Pending {...waiting} />}
      {sources && sources.length > 0 && (
        <>
          <CodeView id={id} sources={sources} values={values} />
          <Sources sources={sources} uploadId={id} />
          <Changes id={id} />
        </>
      )}
      <Details upload={upload} />
    </>
  )
}

interface FactsProps {
  upload: UploadDetails
  sources: readonly SourceShare[] | undefined
  proof: ReleaseProof | undefined
}

function Facts({ upload, sources, proof }: FactsProps): JSX.Element {
  const { kind, label, bytes: size, updatedAt, commit, debugId, buildId, uuids, parts, origin } = upload
  const hasScript = parts.some(({ name }) => name === 'minified_file' || name === 'bundle')
  return (
    <dl class="facts">
      <Fact name="kind">{kindName({ kind, label })}</Fact>
      <Fact name="size">{bytes(size)}</Fact>
      <Fact name="uploaded">
        <time title={time(updatedAt)}>{age(updatedAt)}</time>
      </Fact>
      {commit && (
        <Fact name="commit">
          <CommitLink commit={commit} />
        </Fact>
      )}
      {sources && (
        <Fact name="sourceText">
          {t('sourceTextOf', { n: sources.filter(({ hasContent }) => hasContent).length, total: sources.length })}
        </Fact>
      )}
      {sources && <Fact name="minifiedStored">{t(hasScript ? 'yes' : 'no')}</Fact>}
      {debugId && <Fact name="debugId">{<code>{debugId}</code>}</Fact>}
      {buildId && <Fact name="buildId">{<code>{buildId}</code>}</Fact>}
      {uuids && <Fact name="uuids">{<code>{uuids.split(',').join(' ')}</code>}</Fact>}
      {origin && <Fact name="sentBy">{origin}</Fact>}
      <ProofFact proof={proof} />
    </dl>
  )
}

function Details({ upload }: { upload: UploadDetails }): JSX.Element {
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">{t('details')}</h2>
      <DataTable
        label={t('files')}
        rows={upload.parts}
        keyOf={({ name }) => name}
        columns={[
          { title: t('part'), cell: ({ name }) => partName(name) },
          { title: t('name'), cell: ({ filename }) => filename },
          { title: t('size'), isNumber: true, cell: (part) => bytes(part.bytes) },
          { title: 'SHA-256', cell: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, 12)}…</code> },
        ]}
      />
      <details>
        <summary>{t('eventFields')}</summary>
        <table class="fields">
          <tbody>
            {Object.entries(upload.event).map(([name, value]) => (
              <tr key={name}>
                <th scope="row" title={name}>
                  {readable(name)}
                </th>
                <td>{typeof value === 'string' ? value : JSON.stringify(value)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">{t('requestId')}</th>
              <td>{upload.requestId}</td>
            </tr>
          </tbody>
        </table>
      </details>
    </section>
  )
}

function Sources({ sources, uploadId }: { sources: readonly SourceShare[]; uploadId: string }): JSX.Element {
  const total = sources.reduce((sum, source) => sum + source.bytes, 0)
  const addressOfSource = (index: number) => addressOf('upload', { id: uploadId, source: String(index) })
  return (
    <TableSection
      title={t('whereFrom', { size: bytes(total) })}
      empty=""
      rows={[...sources].sort((a, b) => b.bytes - a.bytes)}
      keyOf={({ index }) => String(index)}
      columns={[
        { title: t('source'), cell: ({ index, name }) => <a href={addressOfSource(index)}>{name}</a> },
        { title: t('minifiedSize'), isNumber: true, cell: (source) => bytes(source.bytes) },
        { title: t('hasText'), cell: ({ hasContent }) => t(hasContent ? 'yes' : 'no') },
      ]}
    />
  )
}

const MAX_CHANGES = 50

function Changes({ id }: { id: string }): JSX.Element | null {
  const { data: changes } = useAnswer('changes', { id })
  if (!changes) return null
  const { version, sources } = changes
  return (
    <TableSection
      title={t('changesAgainst', { version })}
      empty={t('noChanges', { version })}
      rows={sources.slice(0, MAX_CHANGES)}
      keyOf={({ name }) => name}
      columns={[
        { title: t('source'), cell: ({ name }) => name },
        { title: t('before'), isNumber: true, cell: ({ before }) => bytes(before) },
        { title: t('after'), isNumber: true, cell: ({ after }) => bytes(after) },
        { title: t('difference'), isNumber: true, cell: ({ before, after }) => difference(after - before) },
      ]}
    />
  )
}
