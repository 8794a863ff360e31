import type { ComponentChildren, JSX } from 'preact'
import type { Loaded } from './api.ts'
import { useGone } from './connection.ts'
import { clock } from './format.ts'
import { t } from './words.ts'

/** Shown while there is no data yet. */
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
