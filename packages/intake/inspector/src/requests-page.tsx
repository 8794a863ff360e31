import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { RecordedRequest } from '../../src/inspector/api.ts'
import { useAnswer, useLive } from './api.ts'
import { time } from './format.ts'

export function RequestsPage(): JSX.Element {
  const { data: requests = [], error } = useAnswer('requests', {}, useLive('request'))
  const [copied, setCopied] = useState('')
  const copy = async (request: RecordedRequest) => {
    await navigator.clipboard.writeText(curlOf(request))
    setCopied(request.id)
  }
  return (
    <>
      <p role="status">
        {error ??
          (requests.length === 0 ? 'Nothing was called since the intake started.' : `The last ${requests.length}:`)}
      </p>
      {requests.length > 0 && (
        <section class="scroll" tabIndex={0} aria-label="Requests">
          <table>
            <thead>
              <tr>
                <th scope="col">time</th>
                <th scope="col">operation</th>
                <th scope="col">status</th>
                <th scope="col">ms</th>
                <th scope="col">client</th>
                <th scope="col">as curl</th>
              </tr>
            </thead>
            <tbody>
              {requests.map((request) => (
                <tr key={request.id}>
                  <td>{time(request.time)}</td>
                  <td>
                    {request.method} {request.path}
                  </td>
                  <td class={request.status < 400 ? undefined : 'failed'}>{request.status}</td>
                  <td>{request.milliseconds}</td>
                  <td>{request.client}</td>
                  <td>
                    <button type="button" onClick={() => void copy(request)}>
                      {copied === request.id ? 'copied' : 'copy'}
                      <span class="hidden"> {request.path}</span>
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  )
}

/** Keys are the shell's to fill in: the page has none. */
function curlOf({ method, path, body }: RecordedRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const url = `${location.origin}${path}`
  if (body === '') return `curl -X ${method} ${quoted(url)} -H "DD-API-KEY: $SYMUP_API_KEY" -F event=@event.json`
  return `curl -X ${method} ${quoted(url)}"?app_key=$SYMUP_APP_KEY" -H 'Content-Type: application/json' -d ${quoted(body)}`
}
