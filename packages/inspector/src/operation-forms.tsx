import type { OperationsState } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { currentAppKey, setAppKey } from './api.ts'
import { time } from './format.ts'
import { t } from './words.ts'

const HOUR_MS = 3_600_000

export interface OperationProps {
  state: OperationsState
  run(path: string, body: string): void
}

export function AppKey(): JSX.Element {
  const [key, setKey] = useState(currentAppKey())
  return (
    <div class="filters">
      <label>
        <span>{t('appKey')}</span>
        <input
          type="password"
          autocomplete="off"
          value={key}
          onInput={(event) => {
            setKey(event.currentTarget.value)
            setAppKey(event.currentTarget.value)
          }}
        />
      </label>
      <p class="muted">{t('appKeyText')}</p>
    </div>
  )
}

export function Clock({ state, run }: OperationProps): JSX.Element {
  const [isSure, setSure] = useState(false)
  const move = (body: object) => run('/__test/clock', JSON.stringify(body))
  return (
    <section class="panel" aria-label={t('clock')}>
      <p role="status">
        <b>{time(state.now)}</b> <span class="muted">{t(state.isClockSet ? 'clockStands' : 'clockRuns')}</span>
      </p>
      <p class="buttons">
        <button type="button" onClick={() => run('/__test/fire-due', '{}')}>
          {t('fireDue')}
        </button>
        <button type="button" onClick={() => move({ advance: HOUR_MS })}>
          {t('anHour')}
        </button>
        <button type="button" onClick={() => move({ advance: 24 * HOUR_MS })}>
          {t('aDay')}
        </button>
        <button type="button" disabled={!state.isClockSet} onClick={() => move({ real: true })}>
          {t('realTime')}
        </button>
        {isSure ? (
          <>
            <button
              type="button"
              class="danger"
              onClick={() => {
                setSure(false)
                run('/__test/reset', '{}')
              }}
            >
              {t('resetSure')}
            </button>
            <button type="button" onClick={() => setSure(false)}>
              {t('cancel')}
            </button>
          </>
        ) : (
          <button type="button" onClick={() => setSure(true)}>
            {t('reset')}
          </button>
        )}
      </p>
    </section>
  )
}

export function ReportIncident({ state: { channels }, run }: OperationProps): JSX.Element {
  const [title, setTitle] = useState('')
  const [channel, setChannel] = useState(channels[0]?.id ?? '')
  const [severity, setSeverity] = useState('Critical')
  return (
    <form
      class="filters"
      aria-label={t('reportIncident')}
      onSubmit={(event) => {
        event.preventDefault()
        const rest = JSON.stringify({ severity, title }).slice(1)
        // JavaScript numbers cannot represent all 64-bit ids exactly.
        run('/__test/incident', `{"channel_id":${channel},${rest}`)
        setTitle('')
      }}
    >
      <label class="wide">
        <span>{t('title')}</span>
        <input value={title} maxLength={512} onInput={(event) => setTitle(event.currentTarget.value)} />
      </label>
      <label>
        <span>{t('channel')}</span>
        <select value={channel} onChange={(event) => setChannel(event.currentTarget.value)}>
          {channels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t('severity')}</span>
        <select value={severity} onChange={(event) => setSeverity(event.currentTarget.value)}>
          {['Critical', 'Warning', 'Info'].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <button type="submit">{t('reportIncident')}</button>
    </form>
  )
}
