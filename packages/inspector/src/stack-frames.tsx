import type { Commit, EnrichedFrame, Explained } from '@symup/intake/inspector'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useKeys } from './api.ts'
import { type Cause, causesOf, commandFor, isForeign, isUnresolved, prefixFix } from './causes.ts'
import { CodeLine } from './code-lines.tsx'
import { Command, CopyButton } from './copy-button.tsx'
import { Prose } from './fact.tsx'
import { useTokens } from './highlight.ts'
import { inLanguage, localized } from './reasons.ts'
import { sourceAddress } from './repository.tsx'
import { t } from './words.ts'

/** Returns Markdown for issues and chats: all frames as a list, followed by the source of the first app frame. */
function markdownOf(
  { service, version, title, frames }: Explained,
  addressOf: (frame: EnrichedFrame) => string | undefined,
): string {
  const lines = frames.map((frame) => {
    const { converted, function: name, raw, reason } = frame
    if (!converted) return `- ${code(raw.trim())}${reason ? `: ${reason.message}` : ''}`
    const place = [frame.file, frame.line, frame.column].filter((part) => part !== undefined).join(':')
    const address = addressOf(frame)
    return `- ${code(name ?? '<anonymous>')} ${address ? `[${code(place)}](${address})` : code(place)}`
  })
  const first = frames.find(({ converted, third_party: isLibrary, code_snippets: shown }) => {
    return converted && !isLibrary && shown?.length
  })
  const source = first?.code_snippets?.map(
    ({ line, code: text }) => `${line === first.line ? '>' : ' '} ${line}  ${text}`,
  )
  return [
    ...(title ? [`**${title.replaceAll('*', '\\*')}**`] : []),
    `${service} ${version}`,
    '',
    ...lines,
    ...(source ? ['', fenceFor(source), ...source, fenceFor(source)] : []),
    '',
  ].join('\n')
}

function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`
}

function fenceFor(lines: readonly string[]): string {
  const longest = Math.max(2, ...(lines.join('\n').match(/`+/g) ?? []).map(({ length }) => length))
  return '`'.repeat(longest + 1)
}

/** Number of app frames whose source is initially expanded. */
const OPEN_FRAMES = 3
const MESSAGES_SHOWN = 3

export function Frames({ answer }: { answer: Explained }): JSX.Element {
  const { frames, commit, retraced, note } = answer
  const [isAppFirst, setAppFirst] = useState(true)
  const own = frames.filter((frame) => !isForeign(frame))
  const foreign = frames.filter(isForeign)
  const resolved = own.filter(({ converted }) => converted).length
  const addressOf = ({ file, line }: EnrichedFrame) => sourceAddress(commit, file, line)
  return (
    <section class="result" aria-label={t('frames')}>
      <div class="result-head">
        <p role="status" class={resolved === own.length ? 'verdict ok' : 'verdict bad'}>
          {t('resolvedOf', { n: resolved, total: own.length })}
        </p>
        <fieldset class="segmented" aria-label={t('frames')}>
          <button type="button" aria-pressed={isAppFirst} onClick={() => setAppFirst(true)}>
            {t('appFramesFirst')}
          </button>
          <button type="button" aria-pressed={!isAppFirst} onClick={() => setAppFirst(false)}>
            {t('allFrames')}
          </button>
        </fieldset>
        <CopyButton text={() => markdownOf(answer, addressOf)}>{t('copyMarkdown')}</CopyButton>
        <CopyButton text={() => location.href}>{t('copyLink')}</CopyButton>
      </div>
      {resolved === 0 && <Checklist answer={answer} />}
      <ol class="frames">
        {(isAppFirst ? own : frames).map((frame, index) => (
          <Frame key={index} frame={frame} commit={commit} isOpen={own.indexOf(frame) < OPEN_FRAMES} />
        ))}
        {isAppFirst && foreign.length > 0 && (
          <li class="folded">
            <details>
              <summary>{t('libraryFrames', { n: foreign.length })}</summary>
              <ol class="frames">
                {foreign.map((frame, index) => (
                  <Frame key={index} frame={frame} commit={commit} />
                ))}
              </ol>
            </details>
          </li>
        )}
      </ol>
      {note !== undefined && <p class="warn">{inLanguage(note)}</p>}
      {resolved > 0 && <Checklist answer={answer} />}
      {retraced !== undefined && (
        <details>
          <summary>{t('asRetraced')}</summary>
          <Command text={retraced} what={t('asRetraced')} />
        </details>
      )}
    </section>
  )
}

/** Frames with the same cause share one entry. */
function Checklist({ answer }: { answer: Explained }): JSX.Element | null {
  const keys = useKeys()
  const causes = causesOf(answer.frames)
  if (causes.length === 0) return null
  return (
    <section class="checklist" aria-labelledby="checklist-title">
      <h2 id="checklist-title">{t('whatToDo')}</h2>
      <ul>
        {causes.map((cause) => {
          const command = commandFor(cause, answer.type, answer, keys)
          return (
            <li key={cause.code + cause.fix} class={cause.isFailure ? 'bad' : 'warn'}>
              <p>
                <b>{t('nFrames', { n: cause.frames.length })}</b> <code>{cause.code}</code>
              </p>
              <Messages cause={cause} sender={answer.sender} />
              {command && <Command text={command} what={t('fix')} />}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Messages({ cause, sender }: { cause: Cause; sender: string | null }): JSX.Element {
  const { code, messages, fix } = cause
  const shown = messages.slice(0, MESSAGES_SHOWN).map((message) => localized({ code, message, fix }))
  const toDo = prefixFix(cause, sender) ?? shown[0]?.fix
  const more = messages.length - MESSAGES_SHOWN
  return (
    <>
      {shown.map(({ message }) => (
        <p key={message}>
          <Prose text={message} />
        </p>
      ))}
      {more > 0 && <p class="muted">{t('andMore', { n: more })}</p>}
      {toDo && (
        <p>
          <b>{t('fix')}:</b> <Prose text={toDo} />
        </p>
      )}
    </>
  )
}

interface FrameProps {
  frame: EnrichedFrame
  commit: Commit | null
  isOpen?: boolean
}

function Frame({ frame, commit, isOpen = false }: FrameProps): JSX.Element {
  const { raw, converted, inlined, reason, note, candidates = [], code_snippets: shown = [] } = frame
  const isFailed = isUnresolved(frame)
  const address = converted ? sourceAddress(commit, frame.file, frame.line) : undefined
  return (
    <li class={isFailed ? 'frame unresolved' : converted ? 'frame' : 'frame foreign'}>
      <p class="head">
        <b class="function">{frame.function ?? '<anonymous>'}</b>
        {address ? (
          <a class="place" href={address} target="_blank" rel="noreferrer" title={t('openInRepository')}>
            {placeOf(frame)}
          </a>
        ) : (
          <span class="place">{placeOf(frame)}</span>
        )}
        {inlined && (
          <span class="tag" title={t('inlinedInto')}>
            {t('inlined')}
          </span>
        )}
        {isFailed && <span class="bad">{t('unresolved')}</span>}
        {reason && <code class="muted">{reason.code}</code>}
      </p>
      {note !== undefined && <p class="muted">{inLanguage(note)}</p>}
      {converted && reason && <p class="warn">{localized(reason).message}</p>}
      {candidates.map((frames, index) => (
        <p key={index} class="muted">
          {t('orElse')}{' '}
          {frames.map((candidate, depth) => (
            <span key={depth}>
              {depth > 0 && ` ${t('inCaller')} `}
              <b>{candidate.function ?? '<anonymous>'}</b> {placeOf(candidate)}
            </span>
          ))}
        </p>
      ))}
      {shown.length > 0 ? <Source frame={frame} isOpen={isOpen} /> : <code class="raw">{raw}</code>}
    </li>
  )
}

function Source({ frame, isOpen }: { frame: EnrichedFrame; isOpen: boolean }): JSX.Element {
  const { code_snippets: shown = [], file, line, column, raw } = frame
  const tokens = useTokens(shown.map(({ code }) => code).join('\n'), file)
  return (
    <details open={isOpen}>
      <summary>
        <span class="hidden">{t('showCode')} </span>
        <code class="raw">{raw}</code>
      </summary>
      <section class="code-lines short" tabIndex={0} aria-label={`${t('showCode')} ${file ?? ''}`}>
        {shown.map(({ line: number, code }, index) => (
          <CodeLine
            key={number}
            line={number}
            text={code}
            tokens={tokens?.[index]}
            at={number === line ? { line: number, column } : undefined}
          />
        ))}
      </section>
    </details>
  )
}

export function placeOf({ file, line, column }: Pick<EnrichedFrame, 'file' | 'line' | 'column'>): string {
  return [file, line, column].filter((part) => part !== undefined).join(':')
}
