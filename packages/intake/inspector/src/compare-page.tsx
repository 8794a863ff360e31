import type { JSX } from 'preact'
import type { ComparedFile, ReleaseComparison } from '../../src/inspector/api.ts'
import { useAnswer } from './api.ts'
import { bytes, difference } from './format.ts'
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
        {t('compare')} {t('comparison', { from, to })}
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
        <div>
          <dt>{t('size')}</dt>
          <dd>
            {bytes(bytesBefore)} → {bytes(bytesAfter)} <small>{difference(bytesAfter - bytesBefore)}</small>
          </dd>
        </div>
        {COUNTS.map(([name, word]) => (
          <div key={name}>
            <dt>{t(word)}</dt>
            <dd>{comparison[name].toLocaleString()}</dd>
          </div>
        ))}
      </dl>
      {files.length === 0 ? (
        <p class="nothing">{t('noDifference')}</p>
      ) : (
        <section class="scroll" tabIndex={0} aria-label={t('files')}>
          <table class="stacking">
            <thead>
              <tr>
                <th scope="col">{t('file')}</th>
                <th scope="col">{t('status')}</th>
                <th scope="col" class="number">
                  {from}
                </th>
                <th scope="col" class="number">
                  {to}
                </th>
                <th scope="col" class="number">
                  {t('difference')}
                </th>
              </tr>
            </thead>
            <tbody>
              {files.map((file) => (
                <Row key={file.id} file={file} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  )
}

function Row({ file: { id, name, label, before, after } }: { file: ComparedFile }): JSX.Element {
  const word: Word = before === null ? 'added' : after === null ? 'goneFiles' : 'changed'
  return (
    <tr>
      <td>
        <a href={addressOf('upload', { id })}>{name}</a> <small>{label}</small>
      </td>
      <td>
        <span class={`tag ${word}`}>{t(word)}</span>
      </td>
      <td class="number">{before === null ? '–' : bytes(before)}</td>
      <td class="number">{after === null ? '–' : bytes(after)}</td>
      <td class="number">{difference((after ?? 0) - (before ?? 0))}</td>
    </tr>
  )
}
