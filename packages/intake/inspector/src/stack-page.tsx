import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { EnrichedFrame, FrameReason } from '../../src/inspector/api.ts'
import { send, useAnswer } from './api.ts'
import { addressOf } from './route.ts'

const PLATFORMS = ['browser', 'miniprogram', 'harmony', 'android', 'ios']

export function StackPage({ values }: { values: URLSearchParams }): JSX.Element {
  const [text, setText] = useState(values.get('stack') ?? '')
  const [service, setService] = useState(values.get('service') ?? '')
  const [version, setVersion] = useState(values.get('version') ?? '')
  const [type, setType] = useState(values.get('type') ?? 'browser')
  const [frames, setFrames] = useState<EnrichedFrame[]>()
  const [error, setError] = useState<string>()
  const { data: summary = [] } = useAnswer('summary', {})

  const explain = async () => {
    setError(undefined)
    try {
      const known = version || summary.find((row) => row.service === service)?.version || ''
      const answer = await send('explain', { text, service, version: known, type })
      setFrames(answer.frames)
      history.replaceState(null, '', addressOf('stack', { service, version: known, type, stack: text }))
    } catch (failure) {
      setFrames(undefined)
      setError((failure as Error).message)
    }
  }
  const isPrefilled = values.has('stack')
  useEffect(() => {
    if (isPrefilled && summary.length > 0) void explain()
  }, [isPrefilled, summary.length > 0])

  return (
    <>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void explain()
        }}
      >
        <label>
          <span>Stack, or error event as JSON</span>
          <textarea rows={8} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <div class="filters">
          <label>
            <span>Service</span>
            <input list="services" value={service} onInput={(event) => setService(event.currentTarget.value)} />
          </label>
          <datalist id="services">
            {[...new Set(summary.map((row) => row.service))].map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <label>
            <span>Version</span>
            <input list="versions" value={version} onInput={(event) => setVersion(event.currentTarget.value)} />
          </label>
          <datalist id="versions">
            {[...new Set(summary.filter((row) => row.service === service).map((row) => row.version))].map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <label>
            <span>Type</span>
            <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
              {PLATFORMS.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <button type="submit">Resolve</button>
        </div>
      </form>
      {error && <p role="alert">{error}</p>}
      {frames && <Frames frames={frames} />}
    </>
  )
}

function Frames({ frames }: { frames: readonly EnrichedFrame[] }): JSX.Element {
  const resolved = frames.filter(({ converted }) => converted).length
  return (
    <section aria-label="Frames">
      <p role="status">
        {resolved} of {frames.length} frames resolve.
      </p>
      <ol class="frames">
        {frames.map((frame, index) => (
          <li key={index} class={frame.converted ? undefined : 'unresolved'}>
            <code class="raw">{frame.raw}</code>
            {frame.converted ? <Resolved frame={frame} /> : <Unresolved {...frame} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Resolved({ frame }: { frame: EnrichedFrame }): JSX.Element {
  const { line, inlined, candidates = [], code_snippets: lines = [], reason, note } = frame
  return (
    <div>
      <p>
        <Position {...frame} />
        {inlined && <span class="muted"> inlined into the next frame</span>}
      </p>
      {note !== undefined && <p class="muted">{note}</p>}
      {reason && <Reason {...reason} />}
      {lines.length > 0 && (
        <pre tabIndex={0}>
          {lines.map(({ line: number, code }) => (
            <span key={number} class={number === line ? 'line at' : 'line'}>
              <i>{number}</i> {code}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
      {candidates.map((frames, index) => (
        <p key={index} class="muted">
          or{' '}
          {frames.map((candidate, depth) => (
            <span key={depth}>
              {depth > 0 && ' in '}
              <Position {...candidate} />
            </span>
          ))}
        </p>
      ))}
    </div>
  )
}

function Position({ function: name, file, line, column }: Partial<EnrichedFrame>): JSX.Element {
  return (
    <>
      <b>{name ?? '<anonymous>'}</b> {[file, line, column].filter((part) => part !== undefined).join(':')}
    </>
  )
}

function Reason({ code, message, fix }: FrameReason): JSX.Element {
  return (
    <>
      <p>
        <b>{code}</b> {message}
      </p>
      {fix && <p>Fix: {fix}</p>}
    </>
  )
}

function Unresolved({ reason }: EnrichedFrame): JSX.Element {
  return <div>{reason ? <Reason {...reason} /> : <p>It is not resolved.</p>}</div>
}
