import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { GeneratedWindow, Segment, SourceShare } from '../../src/inspector/api.ts'
import { ask, useAnswer } from './api.ts'

interface CodeViewProps {
  id: string
  sources: readonly SourceShare[]
  values: URLSearchParams
}

/** The minified file beside the original: a click on either side shows the place on the other. */
export function CodeView({ id, sources, values }: CodeViewProps): JSX.Element {
  const [position, setPosition] = useState({ line: 1, column: 1 })
  const [source, setSource] = useState(Number(values.get('source') ?? 0))
  const [original, setOriginal] = useState<{ line: number; column?: number }>({ line: 1 })
  const wanted = values.get('source')
  useEffect(() => {
    if (wanted === null) return
    setSource(Number(wanted))
    setOriginal({ line: 1 })
  }, [wanted])
  const { data: generated } = useAnswer('generated', { id, ...position })
  const { data: text } = useAnswer('source', { id, index: source })

  const showOriginal = (segment: Segment) => {
    setSource(segment.source)
    setOriginal({ line: segment.line, column: segment.originalColumn })
  }
  const showGenerated = async (line: number) => {
    setOriginal({ line })
    const found = await ask('position', { id, index: source, line }).catch(() => undefined)
    if (found) setPosition(found)
  }
  return (
    <section class="code" aria-label="Minified and original">
      <div>
        <h2>Minified</h2>
        <p class="muted">
          {generated &&
            `line ${generated.line} of ${generated.lines}, columns ${generated.column}–${generated.column + generated.text.length}`}{' '}
          <button
            type="button"
            disabled={!generated || generated.column === 1}
            onClick={() => setPosition(({ line, column }) => ({ line, column: Math.max(1, column - 3000) }))}
          >
            earlier
          </button>
          <button
            type="button"
            disabled={!generated || generated.column + generated.text.length > generated.lineLength}
            onClick={() => setPosition(({ line, column }) => ({ line, column: column + 3000 }))}
          >
            later
          </button>
          <button
            type="button"
            disabled={!generated || generated.line >= generated.lines}
            onClick={() => setPosition(({ line }) => ({ line: line + 1, column: 1 }))}
          >
            next line
          </button>
        </p>
        {generated && (
          <Generated window={generated} at={position.column} original={{ ...original, source }} onPick={showOriginal} />
        )}
      </div>
      <div>
        <h2>
          <label>
            <span class="hidden">Original source</span>
            <select value={source} onChange={(event) => setSource(Number(event.currentTarget.value))}>
              {sources.map(({ index, name }) => (
                <option key={index} value={index}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </h2>
        {text && <Original text={text.text} line={original.line} onPick={showGenerated} />}
      </div>
    </section>
  )
}

interface GeneratedProps {
  window: GeneratedWindow
  at: number
  original: { source: number; line: number }
  onPick(segment: Segment): void
}

function Generated({ window, at, original, onPick }: GeneratedProps): JSX.Element {
  const { text, column, segments } = window
  const first = segments[0]?.column ?? column + text.length
  return (
    <pre class="generated" tabIndex={0}>
      {text.slice(0, first - column)}
      {segments.map((segment, index) => {
        const end = segments[index + 1]?.column ?? column + text.length
        const isShown = segment.source === original.source && segment.line === original.line
        const isAt = segment.column <= at && at < end
        return (
          <button
            type="button"
            key={segment.column}
            class={isAt ? 'at' : isShown ? 'same' : undefined}
            onClick={() => onPick(segment)}
          >
            {text.slice(segment.column - column, end - column)}
          </button>
        )
      })}
    </pre>
  )
}

function Original({ text, line, onPick }: { text: string; line: number; onPick(line: number): void }): JSX.Element {
  const current = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const element = current.current
    // Only within its own box: the page stays where it is.
    if (element?.parentElement)
      element.parentElement.scrollTop = element.offsetTop - element.parentElement.clientHeight / 2
  }, [text, line])
  return (
    <pre class="original" tabIndex={0}>
      {text.split('\n').map((code, index) => (
        <button
          type="button"
          key={index}
          ref={index + 1 === line ? current : undefined}
          class={index + 1 === line ? 'at' : undefined}
          onClick={() => onPick(index + 1)}
        >
          <i>{index + 1}</i> {code}
          {'\n'}
        </button>
      ))}
    </pre>
  )
}
