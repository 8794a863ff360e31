import type { JSX } from 'preact'
import { useAnswer } from './api.ts'
import { CodeView } from './code-view.tsx'
import { bytes } from './format.ts'
import { addressOf } from './route.ts'
import { Treemap } from './treemap.tsx'

export function UploadPage({ id, values }: { id: string; values: URLSearchParams }): JSX.Element {
  const { data: upload, error } = useAnswer('upload', { id })
  const { data: sources } = useAnswer('sources', { id })
  if (error) return <p role="alert">{error}</p>
  if (!upload) return <p role="status">Loading…</p>
  return (
    <>
      <p>
        <a href={addressOf('uploads')}>All uploads</a>
      </p>
      <section class="details">
        <table>
          <caption>Event</caption>
          <tbody>
            {Object.entries(upload.event).map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{typeof value === 'string' ? value : JSON.stringify(value)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">request</th>
              <td>{upload.requestId}</td>
            </tr>
          </tbody>
        </table>
        <table>
          <caption>Files</caption>
          <thead>
            <tr>
              <th scope="col">part</th>
              <th scope="col">name</th>
              <th scope="col">size</th>
              <th scope="col">SHA-256</th>
            </tr>
          </thead>
          <tbody>
            {upload.parts.map((part) => (
              <tr key={part.name}>
                <td>{part.name}</td>
                <td>{part.filename}</td>
                <td>{bytes(part.bytes)}</td>
                <td>
                  <code>{part.sha256.slice(0, 12)}…</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {sources && sources.length > 0 && (
        <>
          <Treemap sources={sources} uploadId={id} />
          <CodeView id={id} sources={sources} values={values} />
        </>
      )}
    </>
  )
}
