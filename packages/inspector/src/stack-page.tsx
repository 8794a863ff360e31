import type { Explained, Guess, ServiceRow } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { send, useAnswer, useKeys } from './api.ts'
import { explainCommand } from './causes.ts'
import { useLive } from './connection.ts'
import { Command } from './copy-button.tsx'
import { FirstMinute } from './first-minute.tsx'
import { addressOf, replaceAddress } from './route.ts'
import { Frames } from './stack-frames.tsx'
import { Empty } from './state.tsx'
import { seen } from './steering.ts'
import { t, type Word } from './words.ts'

const PLATFORMS = ['browser', 'miniprogram', 'harmony', 'android', 'ios'] as const
const FORMS: Readonly<Record<Guess['form'], Word>> = {
  stack: 'formStack',
  event: 'formEvent',
  har: 'formHar',
  report: 'formReport',
  tombstone: 'formTombstone',
  logcat: 'formLogcat',
  console: 'formConsole',
}
/** Files for Apple platforms are found by UUID, regardless of the release. */
const WITHOUT_RELEASE = 'ios'
/** Delay in milliseconds after the last keystroke before the request is sent. */
const TYPING_MS = 200

interface Fields {
  service: string
  version: string
  type: string
}

export function StackPage({ values }: { values: URLSearchParams }): JSX.Element {
  const given = (name: string) => values.get(name) ?? ''
  const [text, setText] = useState(given('stack'))
  const [fields, setFields] = useState<Fields>({
    service: given('service'),
    version: given('version'),
    type: given('type') || 'browser',
  })
  // Values that the user selected must never be overwritten.
  const chosen = useRef(new Set(['service', 'version', 'type'].filter((name) => given(name) !== '')))
  const [guess, setGuess] = useState<Guess>()
  const [answer, setAnswer] = useState<Explained>()
  const [isEditing, setEditing] = useState(true)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const latest = useRef(0)

  const choose = (next: Partial<Fields>) => {
    for (const name of Object.keys(next)) chosen.current.add(name)
    setFields((before) => ({ ...before, ...next }))
  }
  // The user may have changed the values by the time the response arrives.
  const current = useRef(fields)
  current.current = fields
  const currentText = useRef(text)
  currentText.current = text
  const guessed = async (pasted: string): Promise<Fields> => {
    const found = await send('guess', { text: pasted })
    const { service, version, type } = current.current
    const isKnown = (name: keyof Fields) => chosen.current.has(name)
    const ownService = isKnown('service') ? service : found.service
    const filled = {
      service: ownService ?? found.candidates[0]?.service ?? '',
      version: isKnown('version') ? version : (found.version ?? versionOf(found, ownService)),
      type: isKnown('type') ? type : found.platform,
    }
    if (pasted === currentText.current) {
      setGuess(found)
      setFields(filled)
    }
    return filled
  }
  const explain = async (from: Fields) => {
    const turn = ++latest.current
    setError(undefined)
    const refuse = (message: string) => {
      if (turn !== latest.current) return
      setAnswer(undefined)
      setEditing(true)
      setError(message)
    }
    if (text.trim() === '') return refuse(t('pasteFirst'))
    setBusy(true)
    try {
      const missing = from.service === '' || from.version === '' || !chosen.current.has('type')
      const asked = missing ? await guessed(text) : from
      if (asked.service === '' && asked.type !== WITHOUT_RELEASE) return refuse(t('nameService'))
      if (asked.version === '' && asked.type !== WITHOUT_RELEASE) return refuse(t('nameVersion'))
      const found = await send('explain', { text, ...asked })
      if (turn !== latest.current) return
      if (found.frames.length === 0) return refuse(t('noFrames'))
      setAnswer(found)
      setEditing(false)
      replaceAddress('stack', { ...asked, stack: text })
    } catch (failure) {
      refuse((failure as Error).message)
    } finally {
      if (turn === latest.current) setBusy(false)
    }
  }
  useEffect(() => {
    if (text !== '' && values.has('stack')) void explain(fields)
  }, [])
  useEffect(() => {
    if (text.trim() === '') return setGuess(undefined)
    const timer = setTimeout(() => void guessed(text).catch(() => undefined), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])

  const { data: services } = useAnswer('services', {}, useLive('upload', 'rejection'))
  if (services?.length === 0 && text === '')
    return (
      <>
        <h1>{t('resolveStack')}</h1>
        <FirstMinute />
      </>
    )
  const submit = (event: Event) => {
    event.preventDefault()
    void explain(fields)
  }
  return (
    <>
      <h1>{answer?.title || t('resolveStack')}</h1>
      {answer && !isEditing ? (
        <p class="asked">
          {`${seen(answer.service)} ${seen(answer.version)}`} · {t(answer.type as Word)}
          <button type="button" class="quiet" onClick={() => setEditing(true)}>
            {t('changeStack')}
          </button>
        </p>
      ) : (
        <form
          class="stack"
          onSubmit={submit}
          onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit(event)}
        >
          <label>
            <span>{t('pasteLabel')}</span>
            <textarea
              rows={9}
              spellcheck={false}
              placeholder={t('pasteHint')}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <Choices services={services ?? []} fields={fields} onChoose={choose} />
          {/* The guess appears below the button, so that it does not move the button while the user reaches for it. */}
          <Guessed guess={guess} fields={fields} onChoose={choose} />
        </form>
      )}
      {error !== undefined && <p role="alert">{error}</p>}
      {isBusy && (
        <p role="status" class="muted busy">
          {t('resolving')}
        </p>
      )}
      {answer ? <Frames answer={answer} /> : error === undefined && !isBusy && <NoResult />}
    </>
  )
}

function NoResult(): JSX.Element {
  const keys = useKeys()
  const { data } = useAnswer('releases', { limit: 1 }, useLive('upload'))
  const newest = data?.items[0]
  return (
    <>
      <Empty title={t('noResultYet')}>
        <p class="muted">{t('noResultText')}</p>
        {newest && (
          <p>
            {t('lastUploaded')}{' '}
            <a href={addressOf('release', { service: newest.service, version: newest.version })}>
              {`${seen(newest.service)} ${seen(newest.version)}`.trim()}
            </a>
          </p>
        )}
      </Empty>
      {newest && (
        <section>
          <h2>{t('orInTerminal')}</h2>
          <Command text={explainCommand(keys, newest)} what={t('orInTerminal')} />
        </section>
      )}
    </>
  )
}

function versionOf({ candidates }: Guess, service: string | undefined): string {
  return candidates.find((it) => service === undefined || it.service === service)?.version ?? ''
}

interface ChoicesProps {
  fields: Fields
  onChoose(fields: Partial<Fields>): void
}

function Guessed({ guess, fields, onChoose }: ChoicesProps & { guess: Guess | undefined }): JSX.Element | null {
  if (!guess) return null
  const platform = t(guess.platform as Word)
  const others = guess.candidates.filter((it) => it.service !== fields.service || it.version !== fields.version)
  return (
    <p class="guess" role="status">
      {guess.hasFrames ? t('looksLike', { what: t(FORMS[guess.form], { platform }) }) : t('noFrames')}
      {guess.hasFrames && others.length > 0 && (
        <>
          {' '}
          {t('couldBe')}{' '}
          {others.map(({ service, version, matches }) => (
            <button
              key={`${service} ${version}`}
              type="button"
              class="chip"
              onClick={() => onChoose({ service, version })}
            >
              {seen(service)} {seen(version)}
              {matches > 0 && <small> · {t('filesMatch', { n: matches })}</small>}
            </button>
          ))}
        </>
      )}
    </p>
  )
}

function Choices({
  services,
  fields: { service, version, type },
  onChoose,
}: ChoicesProps & { services: readonly ServiceRow[] }): JSX.Element {
  const { data: releases } = useAnswer('releases', service === '' ? undefined : { service })
  return (
    <div class="filters">
      <label>
        <span>{t('service')}</span>
        <input list="services" value={service} onInput={(event) => onChoose({ service: event.currentTarget.value })} />
      </label>
      <datalist id="services">
        {services.map((row) => (
          <option key={row.service} value={row.service} />
        ))}
      </datalist>
      <label>
        <span>{t('version')}</span>
        <input list="versions" value={version} onInput={(event) => onChoose({ version: event.currentTarget.value })} />
      </label>
      <datalist id="versions">
        {releases?.items.map((row) => (
          <option key={row.version} value={row.version} />
        ))}
      </datalist>
      <label>
        <span>{t('platform')}</span>
        <select value={type} onChange={(event) => onChoose({ type: event.currentTarget.value })}>
          {PLATFORMS.map((name) => (
            <option key={name} value={name}>
              {t(name)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="primary">
        {t('resolve')} <kbd>Ctrl+Enter</kbd>
      </button>
    </div>
  )
}
