import type { GeneratedWindow, Segment, SourceShare } from '@symup/intake/inspector'
import { isLibraryFile } from '@symup/symbolicate/presentation'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ask, useAnswer } from './api.ts'
import { CodeLines, type Place } from './code-lines.tsx'
import { useTokens } from './highlight.ts'
import { Pending } from './state.tsx'
import { t } from './words.ts'

interface CodeViewProps {
  id: string
  sources: readonly SourceShare[]
  values: URLSearchParams
}

interface OriginalPlace extends Place {
  source: number
}

/** Shows the minified file next to the original source. Clicking a position on one side marks the matching position on the other. */
export function CodeView({ id, sources, values }: CodeViewProps): JSX.Element {
  const [generated, setGenerated] = useState({ line: 1, column: 1 })
  const [original, setOriginal] = useState<OriginalPlace>({
    source: Number(values.get('source') ?? ownSource(sources)),
    line: 1,
  })
  const [note, setNote] = useState('')
  const window = useAnswer('generated', { id, ...generated })
  const source = useAnswer('source', { id, index: original.source })
  const showOriginal = ({ source: index, line, originalColumn }: Segment) => {
    setNote('')
    setOriginal({ source: index, line, column: originalColumn })
  }
  /** Marks the nearest mapped position, because the given position may not be mapped. */
  const showGenerated = async (place: OriginalPlace) => {
    const { source: index, line, column = 1 } = place
    setOriginal(place)
    const found = await ask('position', { id, index, line, column })
    if (found === null) return setNote(t('noCodeFrom'))
    setNote(found.original.line === line ? '' : t('nearestOf', { line, nearest: found.original.line }))
    setGenerated({ line: found.line, column: found.column })
    if (found.original.line === line) setOriginal({ source: index, ...found.original })
  }
  const wanted = values.get('source')
  const showSource = async (index: number) => {
    setNote('')
    setOriginal({ source: index, line: 1 })
    const found = await ask('position', { id, index, line: 1, column: 1 })
    if (found === null) return setNote(t('noCodeFrom'))
    setGenerated({ line: found.line, column: found.column })
    setOriginal({ source: index, ...found.original })
  }
  useEffect(() => void showSource(Number(wanted ?? original.source)), [wanted])
  const name = sources[original.source]?.name
  return (
    <section class="code-view" aria-labelledby="code-title">
      <h2 id="code-title">{t('code')}</h2>
      <div class="panes">
        <div class="pane">
          <GeneratedPane
            window={window.data}
            pending={window}
            at={generated}
            original={original}
            onGo={setGenerated}
            onPick={showOriginal}
          />
        </div>
        <div class="pane">
          <div class="pane-head">
            <h3 class="source-name" title={name}>
              <bdi>{name}</bdi>
            </h3>
            {sources.length > 1 && <SourceFilter sources={sources} onPick={(index) => void showSource(index)} />}
          </div>
          {source.data && source.data.name === name ? (
            <Original
              text={source.data.text}
              name={source.data.name}
              at={original}
              onPick={(place) => void showGenerated({ source: original.source, ...place })}
            />
          ) : (
            <Pending {...source} />
          )}
        </div>
      </div>
      <p class="muted" role="status">
        {note}
      </p>
    </section>
  )
}

/** Returns the index of the largest app source whose content is available. Default: 0. */
function ownSource(sources: readonly SourceShare[]): number {
  const isOwn = ({ name, hasContent }: SourceShare) => hasContent && !isLibraryFile(name) && !BUNDLERS.test(name)
  const [own] = sources.filter(isOwn).sort((a, b) => b.bytes - a.bytes)
  return own?.index ?? 0
}

const BUNDLERS = /^\0|webpack\/(?:runtime|bootstrap)|^(?:\.\.\/)*vite\/|commonjsHelpers/

interface SourceFilterProps {
  sources: readonly SourceShare[]
  onPick(index: number): void
}

function SourceFilter({ sources, onPick }: SourceFilterProps): JSX.Element {
  const [text, setText] = useState('')
  const label = t('filterSources', { n: sources.length })
  const search = (typed: string) => {
    const found = sources.find(({ name }) => name === typed)
    setText(found ? '' : typed)
    if (found) onPick(found.index)
  }
  return (
    <>
      <input
        type="search"
        list="sources"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => search(event.currentTarget.value)}
      />
      <datalist id="sources">
        {sources.map(({ index, name }) => (
          <option key={index} value={name} />
        ))}
      </datalist>
    </>
  )
}

interface OriginalProps {
  text: string
  name: string
  at: Place
  onPick(place: Required<Place>): void
}

function Original({ text, name, at, onPick }: OriginalProps): JSX.Element {
  const lines = useMemo(() => text.split('\n'), [text])
  const tokens = useTokens(text, name)
  if (text === '') return <p class="nothing">{t('noText')}</p>
  return <CodeLines label={name} lines={lines} tokens={tokens} at={at} onPick={onPick} />
}

/** Number of characters to scroll per step. */
const STEP = 3000

interface GeneratedPaneProps {
  window: GeneratedWindow | undefined
  pending: { error?: string; isSlow?: boolean }
  at: { line: number; column: number }
  original: OriginalPlace
  onGo(place: { line: number; column: number }): void
  onPick(segment: Segment): void
}

function GeneratedPane({ window, pending, at, original, onGo, onPick }: GeneratedPaneProps): JSX.Element {
  return (
    <>
      <div class="pane-head">
        <h3>{t('minified')}</h3>
        {window && (
          <>
            <GoTo at={at} onGo={onGo} />
            <button
              type="button"
              class="quiet"
              disabled={window.column === 1}
              onClick={() => onGo({ line: at.line, column: Math.max(1, at.column - STEP) })}
            >
              {t('earlier')}
            </button>
            <button
              type="button"
              class="quiet"
              disabled={window.column + window.text.length > window.lineLength && window.line >= window.lines}
              onClick={() =>
                window.column + window.text.length > window.lineLength
                  ? onGo({ line: window.line + 1, column: 1 })
                  : onGo({ line: at.line, column: at.column + STEP })
              }
            >
              {t('later')}
            </button>
          </>
        )}
      </div>
      {window ? (
        window.lines === 0 ? (
          <p class="nothing">{t('noMinified')}</p>
        ) : (
          <Generated window={window} at={at} original={original} onPick={onPick} />
        )
      ) : (
        <Pending {...pending} />
      )}
    </>
  )
}

function GoTo({ at, onGo }: Pick<GeneratedPaneProps, 'at' | 'onGo'>): JSX.Element {
  const [text, setText] = useState('')
  useEffect(() => setText(`${at.line}:${at.column}`), [at.line, at.column])
  return (
    <form
      class="go-to"
      onSubmit={(event) => {
        event.preventDefault()
        const [line = 1, column = 1] = text.split(/\D+/).map((part) => Number(part) || 1)
        onGo({ line, column })
      }}
    >
      <label>
        <span class="hidden">{t('goTo')}</span>
        <input value={text} inputMode="numeric" onInput={(event) => setText(event.currentTarget.value)} />
      </label>
    </form>
  )
}

type GeneratedProps = Pick<GeneratedPaneProps, 'at' | 'original' | 'onPick'> & { window: GeneratedWindow }

function Generated({ window, at, original, onPick }: GeneratedProps): JSX.Element {
  const { text, column, segments } = window
  const box = useRef<HTMLPreElement>(null)
  useEffect(() => {
    const element = box.current as HTMLPreElement
    const mark = element.querySelector<HTMLElement>('.at')
    // Scroll only the code, not the page.
    if (mark) element.scrollTop = mark.offsetTop - element.clientHeight / 3
  }, [window, at.line, at.column])
  const first = segments[0]?.column ?? column + text.length
  return (
    <pre class="generated" ref={box} tabIndex={0}>
      {text.slice(0, first - column)}
      {segments.map((segment, index) => {
        const end = segments[index + 1]?.column ?? column + text.length
        const isShown = segment.source === original.source && segment.line === original.line
        const isAt = at.line === window.line && segment.column <= at.column && at.column < end
        return (
          <button
            type="button"
            key={segment.column}
            class={isAt ? 'at' : isShown ? 'same' : undefined}
            title={segment.name}
            onClick={() => onPick(segment)}
          >
            {text.slice(segment.column - column, end - column)}
          </button>
        )
      })}
    </pre>
  )
}
