import type { FrameReason, LiveError } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { useAnswer } from './api.ts'
import { useLive } from './connection.ts'
import { Steps } from './first-minute.tsx'
import { age, time } from './format.ts'
import { localized } from './reasons.ts'
import { addressOf } from './route.ts'
import { placeOf } from './stack-frames.tsx'
import { Pending } from './state.tsx'
import { seen } from './steering.ts'
import { t } from './words.ts'

export function ErrorsPage(): JSX.Element {
  const { data, ...pending } = useAnswer('live-errors', {}, useLive('live-error'))
  return (
    <>
      <h1>{t('liveErrors')}</h1>
      {!data ? (
        <Pending {...pending} />
      ) : data.items.length === 0 ? (
        <HowTo isOn={data.isOn} />
      ) : (
        <>
          <p class="muted">{t('liveErrorsText')}</p>
          <ul class="records live-errors">
            {data.items.map((error) => (
              <ErrorRow key={error.id} error={error} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

const portFlag = () => (location.port === '8642' ? '' : ` --port ${location.port}`)

const AT_ONCE =
  "// datadogRum.init({ …, allowUntrustedEvents: true })\naddEventListener('error', () => setTimeout(() => dispatchEvent(new Event('freeze'))))"

function HowTo({ isOn }: { isOn: boolean }): JSX.Element {
  const init = `datadogRum.init({\n  // …\n  service: 'shop',\n  version: '1.0.0',\n  proxy: '${location.origin}/rum',\n})`
  const steps = [
    ...(isOn ? [] : ([['liveErrorsStart', 'liveErrorsStartText', `npx symup intake --rum${portFlag()}`]] as const)),
    ['liveErrorsProxy', 'liveErrorsProxyText', init],
    ['liveErrorsAtOnce', 'liveErrorsAtOnceText', AT_ONCE],
  ] as const
  return (
    <section class="first-minute">
      {isOn ? (
        <p class="pulse" role="status">
          <i aria-hidden="true" /> {t('noLiveErrors')}
        </p>
      ) : (
        <p>
          <b>{t('liveErrorsOff')}</b>
        </p>
      )}
      <p class="muted">{t('liveErrorsText')}</p>
      <Steps steps={steps} />
    </section>
  )
}

function ErrorRow({ error }: { error: LiveError }): JSX.Element {
  const { type, message, stack, service, version, count, last, page } = error
  const name = message || type || t('noMessage')
  return (
    <li>
      <p class="head">
        {stack ? (
          <a class="title" href={addressOf('stack', { service, version, type: 'browser', stack })}>
            {name}
          </a>
        ) : (
          <b class="title">{name}</b>
        )}
        {type && type !== name && <span class="tag">{type}</span>}
        <span class="count">{count.toLocaleString()}×</span>
      </p>
      <Where error={error} />
      <p class="muted">
        {service ? (
          <a href={addressOf('release', { service, version })}>{`${seen(service)} ${seen(version)}`.trim()}</a>
        ) : (
          '–'
        )}
        {' · '}
        <time title={time(last)}>{age(last)}</time>
        {page && <> · {page}</>}
      </p>
    </li>
  )
}

function textOf(reason: FrameReason): string {
  const { message, fix } = localized(reason)
  return `${message} ${fix}`.trim()
}

function Where({ error: { state, frame, reason } }: { error: LiveError }): JSX.Element {
  switch (state) {
    case 'resolved':
      return (
        <p class="where">
          <b class="function">{frame?.function ?? '<anonymous>'}</b> <span class="place">{placeOf(frame ?? {})}</span>
        </p>
      )
    case 'resolving':
      return <p class="muted">{t('resolving')}</p>
    case 'no-stack':
      return <p class="muted">{t('withoutStack')}</p>
    default:
      return (
        <p>
          <span class="tag bad">{t('unresolved')}</span> {reason ? textOf(reason) : t('noFrames')}
        </p>
      )
  }
}
