import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { currentAppKey, send, useAnswer } from './api.ts'
import { useLive } from './connection.ts'
import { t } from './words.ts'

const KINDS = ['413', '429;retry-after=2', '500', '503;retry-after=2', 'reset', 'slow;delay=3000']

/** Makes uploads fail on purpose. Requires an app key. */
export function FaultSwitch(): JSX.Element {
  const { data } = useAnswer('fault', {}, useLive('fault'))
  const [fault, setFault] = useState('')
  const [error, setError] = useState<string>()
  const set = async (wanted: string) => {
    setError(undefined)
    const headers = { 'X-App-Key': currentAppKey() }
    await send('fault', { fault: wanted }, headers).catch((failure: Error) => setError(failure.message))
  }
  return (
    <form
      class={data?.fault ? 'filters panel fault on' : 'filters panel fault'}
      aria-label={t('faults')}
      onSubmit={(event) => {
        event.preventDefault()
        void set(fault)
      }}
    >
      <h2>{t('faults')}</h2>
      <p role="status" class="muted">
        {data?.fault ? t('faultOn', { fault: data.fault }) : t('faultOff')}
      </p>
      <label>
        <span>{t('fault')}</span>
        <input
          list="faults"
          placeholder="429;retry-after=2;rate=0.3"
          value={fault}
          onInput={(event) => setFault(event.currentTarget.value)}
        />
      </label>
      <datalist id="faults">
        {KINDS.map((kind) => (
          <option key={kind} value={kind} />
        ))}
      </datalist>
      <button type="submit" disabled={fault === ''}>
        {t('turnOn')}
      </button>
      <button type="button" disabled={!data?.fault} onClick={() => void set('')}>
        {t('turnOff')}
      </button>
      {error && <p role="alert">{error}</p>}
    </form>
  )
}
