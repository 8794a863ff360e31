import type { Rejection } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useAnswer } from './api.ts'
import { useLive } from './connection.ts'
import { Prose } from './fact.tsx'
import { age, time } from './format.ts'
import { rejectedFile, releaseOf } from './rejected.ts'
import { Empty, Pending } from './state.tsx'
import { LANGUAGE, t } from './words.ts'

/** Highlights the refused upload whose id is in the URL. */
export function RejectionsPage({ values }: { values: URLSearchParams }): JSX.Element {
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
        <Rejections rejections={rejections} chosen={values.get('id')} />
      )}
    </>
  )
}

interface RejectionsProps {
  rejections: readonly Rejection[]
  chosen: string | null
}

function Rejections({ rejections, chosen }: RejectionsProps): JSX.Element {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => row.current?.scrollIntoView({ block: 'center' }), [chosen])
  return (
    <ul class="records">
      {rejections.map((rejection) => (
        <li
          key={rejection.id}
          ref={rejection.id === chosen ? row : undefined}
          aria-current={rejection.id === chosen ? 'true' : undefined}
        >
          <p class="head">
            <b>{releaseOf(rejection) || rejection.code}</b> <span class="place">{rejectedFile(rejection)}</span>
            <span class="tag bad">{rejection.status}</span>
          </p>
          <p>
            <Prose text={rejection.message[LANGUAGE]} />
          </p>
          {rejection.fix[LANGUAGE] && (
            <p>
              <b>{t('fix')}:</b> <Prose text={rejection.fix[LANGUAGE]} />
            </p>
          )}
          <p class="muted">
            {rejection.code} · <time title={time(rejection.time)}>{age(rejection.time)}</time>
            {rejection.client ? ` · ${rejection.client}` : ''} · {rejection.id}
          </p>
          <details open={rejection.id === chosen}>
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
