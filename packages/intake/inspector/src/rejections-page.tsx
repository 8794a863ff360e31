import type { JSX } from 'preact'
import type { Rejection } from '../../src/inspector/api.ts'
import { useAnswer } from './api.ts'
import { useLive } from './connection.ts'
import { age, time } from './format.ts'
import { Empty, Pending } from './state.tsx'
import { t } from './words.ts'

export function RejectionsPage(): JSX.Element {
  const { data: rejections, ...pending } = useAnswer('rejections', {}, useLive('rejection'))
  return (
    <>
      <h1>{t('refused')}</h1>
      {!rejections ? (
        <Pending {...pending} />
      ) : rejections.length === 0 ? (
        <Empty title={t('nothingRefused')}>
          <p class="muted">{t('nothingRefusedText')}</p>
        </Empty>
      ) : (
        <Rejections rejections={rejections} />
      )}
    </>
  )
}

export function Rejections({ rejections }: { rejections: readonly Rejection[] }): JSX.Element {
  return (
    <ul class="records">
      {rejections.map((rejection) => (
        <li key={rejection.id}>
          <p>
            <span class="tag bad">{rejection.status}</span> <b>{rejection.code}</b> {rejection.message}
          </p>
          {rejection.fix && (
            <p>
              <b>{t('fix')}:</b> {rejection.fix}
            </p>
          )}
          <p class="muted">
            <time title={time(rejection.time)}>{age(rejection.time)}</time> · {rejection.client} · {rejection.id}
          </p>
          <details>
            <summary>{t('asReceived')}</summary>
            <table class="fields">
              <tbody>
                {rejection.parts.map(({ name, filename }, index) => (
                  <tr key={`part ${index}`}>
                    <th scope="row">{t('partNamed', { name })}</th>
                    <td>{filename ?? t('textPart')}</td>
                  </tr>
                ))}
                {Object.entries(rejection.headers).map(([name, value]) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{value}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {rejection.event && <pre tabIndex={0}>{rejection.event}</pre>}
          </details>
        </li>
      ))}
    </ul>
  )
}
