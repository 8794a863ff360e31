import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Loaded } from './api.ts'
import { useGone } from './connection.ts'
import { clock } from './format.ts'
import { addressOf } from './route.ts'
import { t } from './words.ts'

/** Shows an error that occurred in the inspector page itself, with a link that resolves the error's stack in the same intake. */
export function OwnError(): JSX.Element | null {
  const [error, setError] = useState<Error>()
  useEffect(() => {
    const onError = (event: ErrorEvent) => setError(event.error ?? new Error(event.message))
    const onRejection = (event: PromiseRejectionEvent) => setError(event.reason)
    addEventListener('error', onError)
    addEventListener('unhandledrejection', onRejection)
    return () => {
      removeEventListener('error', onError)
      removeEventListener('unhandledrejection', onRejection)
    }
  }, [])
  if (!error) return null
  return (
    <div class="own-error" role="alert">
      <p>{t('pageFailed', { message: error.message })}</p>
      <p>
        <a href={addressOf('stack', { service: 'symup-inspector', type: 'browser', stack: error.stack })}>
          {t('seeWhere')}
        </a>{' '}
        <button type="button" onClick={() => setError(undefined)}>
          {t('dismiss')}
        </button>
      </p>
    </div>
  )
}

export function Pending({ error, isSlow }: Loaded<unknown>): JSX.Element {
  if (error !== undefined) return <p role="alert">{error}</p>
  return (
    <p role="status" class="muted pending">
      {isSlow ? t('slow') : t('loading')}
    </p>
  )
}

export function Gone(): JSX.Element | null {
  const since = useGone()
  if (since === undefined) return null
  return (
    <p class="gone" role="alert">
      {t('gone', { time: clock(since) })}
    </p>
  )
}

export function Empty({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class="empty">
      <h2>{title}</h2>
      <div>{children}</div>
    </section>
  )
}
