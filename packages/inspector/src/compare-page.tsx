import type { ComparedFile, ReleaseComparison } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { useAnswer } from './api.ts'
import { DataTable } from './data-table.tsx'
import { Fact } from './fact.tsx'
import { bytes, difference } from './format.ts'
import { kindName } from './names.ts'
import { Crumbs } from './release-page.tsx'
import { addressOf } from './route.ts'
import { Pending } from './state.tsx'
import { t, type Word } from './words.ts'

export function ComparePage({ values }: { values: URLSearchParams }): JSX.Element {
  const [service = '', from = '', to = ''] = ['service', 'from', 'to'].map((name) => values.get(name) ?? '')
  const { data, ...pending } = useAnswer('compare', { service, from, to })
  return (
    <>
      <Crumbs service={service} version={to} />
      <h1>
        {t('compare')} {`${from} → ${to}`}
      </h1>
      {data ? <Comparison comparison={data} from={from} to={to} /> : <Pending {...pending} />}
    </>
  )
}

interface ComparisonProps {
  comparison: ReleaseComparison
  from: string
  to: string
}

const COUNTS: readonly ['added' | 'gone' | 'changed' | 'same', Word][] = [
  ['added', 'added'],
  ['gone', 'goneFiles'],
  ['changed', 'changed'],
  ['same', 'same'],
]

function Comparison({ comparison, from, to }: ComparisonProps): JSX.Element {
  const { bytesBefore, bytesAfter, files } = comparison
  return (
    <>
      <dl class="facts">
        <Fact name="size">
          {bytes(bytesBefore)} → {bytes(bytesAfter)} <small>{difference(bytesAfter - bytesBefore)}</small>
        </Fact>
        {COUNTS.map(([name, word]) => (
          <Fact key={name} name={word}>
            {comparison[name].toLocaleString()}
          </Fact>
        ))}
      </dl>
      {files.length === 0 ? (
        <p class="nothing">{t('noDifference')}</p>
      ) : (
        <DataTable
          label={t('files')}
          rows={files}
          keyOf={({ id }) => id}
          columns={[
            { title: t('file'), cell: (file) => <FileName file={file} /> },
            { title: t('status'), cell: (file) => <Change file={file} /> },
            { title: from, isNumber: true, cell: ({ before }) => (before === null ? '–' : bytes(before)) },
            { title: to, isNumber: true, cell: ({ after }) => (after === null ? '–' : bytes(after)) },
            {
              title: t('difference'),
              isNumber: true,
              cell: ({ before, after }) => difference((after ?? 0) - (before ?? 0)),
            },
          ]}
        />
      )}
    </>
  )
}

function FileName({ file: { id, name, kind, label } }: { file: ComparedFile }): JSX.Element {
  return (
    <>
      <div>
        <a href={addressOf('upload', { id })}>{name}</a>
      </div>
      <small>{kindName({ kind, label })}</small>
    </>
  )
}

function Change({ file: { before, after } }: { file: ComparedFile }): JSX.Element {
  const word: Word = before === null ? 'added' : after === null ? 'goneFiles' : 'changed'
  return <span class={`tag ${word}`}>{t(word)}</span>
}
