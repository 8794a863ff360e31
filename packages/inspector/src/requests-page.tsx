import type { RecordedRequest } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Keys, useAnswer, useKeys } from './api.ts'
import { quoted } from './causes.ts'
import { useLive } from './connection.ts'
import { Command, CopyButton } from './copy-button.tsx'
import { FaultSwitch } from './fault-switch.tsx'
import { age, time } from './format.ts'
import { AppKey } from './operation-forms.tsx'
import { Empty, Pending } from './state.tsx'
import { t } from './words.ts'

export function RequestsPage(): JSX.Element {
  const { data: requests, ...pending } = useAnswer('requests', {}, useLive('request'))
  return (
    <>
      <h1>{t('requests')}</h1>
      {!requests ? (
        <Pending {...pending} />
      ) : requests.length === 0 ? (
        <Empty title={t('nothingCalled')}>
          <p class="muted">{t('nothingCalledText')}</p>
        </Empty>
      ) : (
        <Requests requests={requests} />
      )}
      <AppKey />
      <FaultSwitch />
    </>
  )
}

function Requests({ requests }: { requests: readonly RecordedRequest[] }): JSX.Element {
  const [isFailedOnly, setFailedOnly] = useState(false)
  const keys = useKeys()
  const shown = isFailedOnly ? requests.filter(isFailed) : requests
  return (
    <>
      <search class="filters">
        <label class="inline">
          <input
            type="checkbox"
            checked={isFailedOnly}
            onChange={(event) => setFailedOnly(event.currentTarget.checked)}
          />
          {t('failedOnly')}
        </label>
      </search>
      {shown.length === 0 ? <p class="nothing">{t('nothingFailed')}</p> : <Table requests={shown} keys={keys} />}
    </>
  )
}

/** `symup doctor` checks the key with a request that the intake always rejects. */
const isKeyCheck = ({ status, isProbe }: RecordedRequest) => isProbe && status === 400
const isFailed = (request: RecordedRequest) => request.status >= 400 && !isKeyCheck(request)

function Table({ requests, keys }: { requests: readonly RecordedRequest[]; keys: Keys }): JSX.Element {
  return (
    <section class="boxed" aria-label={t('requests')}>
      <table class="requests">
        <thead>
          <tr>
            <th scope="col">{t('status')}</th>
            <th scope="col">{t('operation')}</th>
            <th scope="col">{t('client')}</th>
            <th scope="col" class="number">
              {t('duration')}
            </th>
            <th scope="col" class="number">
              {t('time')}
            </th>
            <th scope="col">
              <span class="hidden">{t('copy')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <Row key={request.id} request={request} keys={keys} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ request, keys }: { request: RecordedRequest; keys: Keys }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <tr>
        <td>
          <Status request={request} />
        </td>
        <td class="operation">
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <span class="muted">{request.method}</span> {request.path}
          </button>
        </td>
        <td class="client muted">{request.client}</td>
        <td class="number duration">{request.milliseconds} ms</td>
        <td class="number when">
          <time title={time(request.time)}>{age(request.time)}</time>
        </td>
        <td>
          <CopyButton text={() => curlOf(request, keys)} what={request.path}>
            curl
          </CopyButton>
        </td>
      </tr>
      {isOpen && (
        <tr class="exchange">
          <td colSpan={6}>
            <ExchangeOf id={request.id} />
          </td>
        </tr>
      )}
    </>
  )
}

function ExchangeOf({ id }: { id: string }): JSX.Element {
  const { data, ...pending } = useAnswer('exchange', { id })
  if (!data) return <Pending {...pending} />
  return (
    <>
      <p class="muted">
        {t('requestId')} {id}
      </p>
      <Body title={t('requestBody')} text={data.request} />
      <Body title={t('answerBody')} text={data.answer} />
    </>
  )
}

function Body({ title, text }: { title: string; text: string }): JSX.Element {
  return (
    <>
      <p>
        <b>{title}</b>
      </p>
      {text === '' ? <p class="muted">{t('notKept')}</p> : <Command text={text} what={title} />}
    </>
  )
}

function Status({ request }: { request: RecordedRequest }): JSX.Element {
  if (isKeyCheck(request))
    return (
      <span class="tag" title={t('keyCheckText')}>
        {t('keyCheck')}
      </span>
    )
  return <span class={isFailed(request) ? 'tag bad' : 'tag ok'}>{request.status}</span>
}

function curlOf({ method, path, body }: RecordedRequest, { api, app }: Keys): string {
  const url = `${location.origin}${path}`
  if (body === '') return `curl -X ${method} ${quoted(url)} -H "DD-API-KEY: ${api}" -F event=@event.json`
  return `curl -X ${method} ${quoted(url)}"?app_key=${app}" -H 'Content-Type: application/json' -d ${quoted(body)}`
}
