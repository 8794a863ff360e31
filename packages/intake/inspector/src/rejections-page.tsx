import type { JSX } from 'preact'
import { useAnswer, useLive } from './api.ts'
import { FaultSwitch } from './fault-switch.tsx'
import { time } from './format.ts'

export function RejectionsPage(): JSX.Element {
  const { data: rejections = [], error } = useAnswer('rejections', {}, useLive('rejection'))
  return (
    <>
      <FaultSwitch />
      <p role="status">
        {error ??
          (rejections.length === 0
            ? 'Nothing was refused since the intake started.'
            : `The last ${rejections.length}:`)}
      </p>
      <ul class="records">
        {rejections.map((rejection) => (
          <li key={rejection.id}>
            <p>
              <b>
                {rejection.status} {rejection.code}
              </b>{' '}
              {rejection.message}
            </p>
            {rejection.fix && <p>Fix: {rejection.fix}</p>}
            <p class="muted">
              {time(rejection.time)} · {rejection.client} · {rejection.id}
            </p>
            <details>
              <summary>As received</summary>
              <table>
                <tbody>
                  {Object.entries(rejection.headers).map(([name, value]) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      <td>{value}</td>
                    </tr>
                  ))}
                  {rejection.parts.map(({ name, filename }, index) => (
                    <tr key={`part ${index}`}>
                      <th scope="row">part {name}</th>
                      <td>{filename ?? 'text'}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {rejection.event && <pre tabIndex={0}>{rejection.event}</pre>}
            </details>
          </li>
        ))}
      </ul>
    </>
  )
}
