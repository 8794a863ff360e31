import type { OncallTurn, RuleRow } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { operate, useAnswer } from './api.ts'
import { useLive } from './connection.ts'
import { CopyButton } from './copy-button.tsx'
import { TableSection } from './data-table.tsx'
import { time } from './format.ts'
import { AppKey, Clock, type OperationProps, ReportIncident } from './operation-forms.tsx'
import { Pending } from './state.tsx'
import { t, type Word } from './words.ts'

/** Refresh interval in milliseconds. Schedules fire without a request, so no event announces their runs. */
const REFRESH_MS = 5000

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
    </>
  )
}

function Operations({ state, run }: OperationProps): JSX.Element {
  return (
    <>
      {state.hasTestRoutes && <Clock state={state} run={run} />}
      <TableSection
        title={t('incidents')}
        empty={t('noIncidents')}
        rows={state.incidents}
        keyOf={({ id }) => id}
        columns={[
          { title: t('title'), cell: ({ title }) => title || '–' },
          { title: t('severity'), cell: ({ severity }) => <Severity name={severity} /> },
          { title: t('status'), cell: ({ progress }) => progress },
          { title: t('channel'), cell: ({ channel }) => channel || '–' },
          { title: t('time'), isNumber: true, cell: (row) => time(row.time) },
        ]}
      >
        {state.hasTestRoutes && state.channels.length > 0 && <ReportIncident state={state} run={run} />}
      </TableSection>
      <TableSection
        title={t('rules')}
        empty={t('noRules')}
        rows={state.rules}
        keyOf={({ id }) => id}
        columns={[
          { title: t('name'), cell: ({ name, isEnabled }) => <Name name={name} isEnabled={isEnabled} /> },
          { title: t('owner'), cell: ({ owner }) => owner },
          { title: t('triggers'), cell: (rule) => <Triggers rule={rule} /> },
          { title: t('nextFire'), isNumber: true, cell: ({ nextFire }) => (nextFire === null ? '–' : time(nextFire)) },
          { title: t('run'), cell: (rule) => <RunRule rule={rule} run={run} /> },
        ]}
      />
      <TableSection
        title={t('runs')}
        empty={t('noRuns')}
        rows={state.runs}
        keyOf={({ id }) => id}
        columns={[
          { title: t('rule'), cell: ({ rule }) => rule },
          { title: t('trigger'), cell: ({ kind }) => triggerName(kind) },
          { title: t('input'), cell: ({ input }) => <Input text={input} /> },
          { title: t('time'), isNumber: true, cell: (row) => time(row.time) },
        ]}
      />
      <TableSection
        title={t('schedules')}
        empty={t('noSchedules')}
        rows={state.schedules}
        keyOf={({ id }) => id}
        columns={[
          { title: t('name'), cell: ({ name, isEnabled }) => <Name name={name} isEnabled={isEnabled} /> },
          { title: t('onCallNow'), cell: ({ current }) => <Turn turn={current} edge="end" /> },
          { title: t('onCallNext'), cell: ({ next }) => <Turn turn={next} edge="start" /> },
        ]}
      />
    </>
  )
}

function RunRule({ rule: { id, name }, run }: { rule: RuleRow } & Pick<OperationProps, 'run'>): JSX.Element {
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => run('/safari/automation/rule/run', JSON.stringify({ rule_id: id }))}
    >
      {t('run')} <span class="hidden">{name}</span>
    </button>
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

/** The intake returns the token only once, when the trigger is created, so the command contains a shell variable. */
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
