import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { OncallTurn, OperationsState, RuleRow } from '../../src/inspector/api.ts'
import { useAnswer } from './api.ts'
import { useLive } from './connection.ts'
import { CopyButton } from './copy-button.tsx'
import { DataTable } from './data-table.tsx'
import { FaultSwitch } from './fault-switch.tsx'
import { time } from './format.ts'
import { currentAppKey, operate, setAppKey } from './operate.ts'
import { Pending } from './state.tsx'
import { t, type Word } from './words.ts'

/** Schedules fire without a request that could tell of it. */
const REFRESH_MS = 5000
const HOUR_MS = 3_600_000

/** What the operations work on; with an app key, to fire, to reset, and to move the clock. */
export function OperationsPage(): JSX.Element {
  const live = useLive('request')
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setTicks((before) => before + 1), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  const { data, ...pending } = useAnswer('operations', {}, `${live} ${ticks}`)
  const [error, setError] = useState<string>()
  const run = (path: string, body: string) => {
    setError(undefined)
    operate(path, body).catch((failure: Error) => setError(failure.message))
  }
  return (
    <>
      <h1>{t('operations')}</h1>
      <AppKey />
      {error !== undefined && <p role="alert">{error}</p>}
      {data ? <Operations state={data} run={run} /> : <Pending {...pending} />}
      <FaultSwitch />
    </>
  )
}

function AppKey(): JSX.Element {
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

interface PartProps {
  state: OperationsState
  run(path: string, body: string): void
}

function Operations({ state, run }: PartProps): JSX.Element {
  return (
    <>
      {state.hasTestRoutes && <Clock state={state} run={run} />}
      <section>
        <h2>{t('incidents')}</h2>
        {state.hasTestRoutes && state.channels.length > 0 && <ReportIncident state={state} run={run} />}
        {state.incidents.length === 0 ? (
          <p class="nothing">{t('noIncidents')}</p>
        ) : (
          <DataTable
            label={t('incidents')}
            rows={state.incidents}
            keyOf={({ id }) => id}
            columns={[
              { title: t('title'), cell: ({ title }) => title || '–' },
              { title: t('severity'), cell: ({ severity }) => <Severity name={severity} /> },
              { title: t('status'), cell: ({ progress }) => progress },
              { title: t('channel'), cell: ({ channel }) => channel || '–' },
              { title: t('time'), isNumber: true, cell: (row) => time(row.time) },
            ]}
          />
        )}
      </section>
      <Rules state={state} run={run} />
      <section>
        <h2>{t('runs')}</h2>
        {state.runs.length === 0 ? (
          <p class="nothing">{t('noRuns')}</p>
        ) : (
          <DataTable
            label={t('runs')}
            rows={state.runs}
            keyOf={({ id }) => id}
            columns={[
              { title: t('rule'), cell: ({ rule }) => rule },
              { title: t('trigger'), cell: ({ kind }) => triggerName(kind) },
              { title: t('input'), cell: ({ input }) => <Input text={input} /> },
              { title: t('time'), isNumber: true, cell: (row) => time(row.time) },
            ]}
          />
        )}
      </section>
      <section>
        <h2>{t('schedules')}</h2>
        {state.schedules.length === 0 ? (
          <p class="nothing">{t('noSchedules')}</p>
        ) : (
          <DataTable
            label={t('schedules')}
            rows={state.schedules}
            keyOf={({ id }) => id}
            columns={[
              { title: t('name'), cell: ({ name, isEnabled }) => <Name name={name} isEnabled={isEnabled} /> },
              { title: t('onCallNow'), cell: ({ current }) => <Turn turn={current} edge="end" /> },
              { title: t('onCallNext'), cell: ({ next }) => <Turn turn={next} edge="start" /> },
            ]}
          />
        )}
      </section>
    </>
  )
}

function Clock({ state, run }: PartProps): JSX.Element {
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

function ReportIncident({ state: { channels }, run }: PartProps): JSX.Element {
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
        // An id of 64 bits would lose digits as a number of JavaScript.
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

function Rules({ state: { rules }, run }: PartProps): JSX.Element {
  return (
    <section>
      <h2>{t('rules')}</h2>
      {rules.length === 0 ? (
        <p class="nothing">{t('noRules')}</p>
      ) : (
        <DataTable
          label={t('rules')}
          rows={rules}
          keyOf={({ id }) => id}
          columns={[
            { title: t('name'), cell: ({ name, isEnabled }) => <Name name={name} isEnabled={isEnabled} /> },
            { title: t('owner'), cell: ({ owner }) => owner },
            { title: t('triggers'), cell: (rule) => <Triggers rule={rule} /> },
            {
              title: t('nextFire'),
              isNumber: true,
              cell: ({ nextFire }) => (nextFire === null ? '–' : time(nextFire)),
            },
            {
              title: t('run'),
              cell: ({ id, name }) => (
                <button
                  type="button"
                  class="quiet"
                  onClick={() => run('/safari/automation/rule/run', JSON.stringify({ rule_id: id }))}
                >
                  {t('run')} <span class="hidden">{name}</span>
                </button>
              ),
            },
          ]}
        />
      )}
    </section>
  )
}

function Triggers({ rule: { triggers, name } }: { rule: RuleRow }): JSX.Element {
  return (
    <>
      {triggers.map(({ kind, isEnabled, detail }) => (
        <p key={kind} class={isEnabled ? undefined : 'muted'}>
          {triggerName(kind)} {!isEnabled && <span class="tag">{t('off')}</span>}{' '}
          {kind === 'http_post' ? (
            <CopyButton text={fireCommand(detail)} what={name}>
              curl
            </CopyButton>
          ) : (
            <small class="muted">{detail}</small>
          )}
        </p>
      ))}
    </>
  )
}

/** The token is the shell's to fill in: it was shown once, when the trigger was made. */
function fireCommand(path: string): string {
  return `curl -X POST ${location.origin}${path} -H "Authorization: Bearer $TRIGGER_TOKEN"`
}

const TRIGGERS: Readonly<Record<string, Word>> = {
  schedule: 'bySchedule',
  http_post: 'byHttpPost',
  oncall_incident: 'byIncident',
  debug: 'byHand',
}

function triggerName(kind: string): string {
  const word = TRIGGERS[kind]
  return word ? t(word) : kind
}

function Name({ name, isEnabled }: { name: string; isEnabled: boolean }): JSX.Element {
  return (
    <>
      {name} {!isEnabled && <span class="tag">{t('off')}</span>}
    </>
  )
}

function Severity({ name }: { name: string }): JSX.Element {
  return <span class={name === 'Critical' ? 'tag bad' : 'tag'}>{name}</span>
}

function Input({ text }: { text: string }): JSX.Element {
  return text === '' || text === '{}' ? <>–</> : <code class="raw">{text.slice(0, 300)}</code>
}

function Turn({ turn, edge }: { turn: OncallTurn | null; edge: 'start' | 'end' }): JSX.Element {
  if (!turn) return <>–</>
  return (
    <>
      {turn.people.join(', ') || '–'}{' '}
      <small class="muted">{t(edge === 'end' ? 'until' : 'from', { time: time(turn[edge]) })}</small>
    </>
  )
}
