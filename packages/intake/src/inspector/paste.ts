import { type EventText, parseEventText } from '@symup/symbolicate/internal'
import { excessOf } from '../platform/wire/json-body.ts'
import type { Guess } from './api.ts'

/** A stack that was pasted as plain text or extracted from an event or a HAR export. */
export interface Pasted extends EventText {
  form: Guess['form']
}

/** Maximum number of JSON values. Parsing more values would block other requests. */
const MAX_VALUES = 25_000
/** Maximum length of text that is not JSON, such as a log with one event per line. */
const MAX_LOG = 512 * 1024
const MAX_ENTRIES = 5000

interface HarEntry {
  response?: { status?: unknown }
  request?: { postData?: { text?: unknown } }
  _initiator?: { stack?: CallStack }
}

interface CallStack {
  callFrames?: { functionName?: unknown; url?: unknown; lineNumber?: unknown; columnNumber?: unknown }[]
  parent?: CallStack
}

/** Never throws an error, because users may paste anything. */
export function readPasted(text: string): Pasted {
  const isReadable = /^\s*[{["]/.test(text) ? excessOf(text, MAX_VALUES) === undefined : text.length <= MAX_LOG
  const entries = isReadable ? harEntries(text) : undefined
  if (entries) return { form: 'har', ...(reportedIn(entries) ?? { stack: initiatorIn(entries) }) }
  const event: EventText = isReadable ? parseEventText(text) : { stack: text }
  if (event.stack !== text) return { form: 'event', ...event }
  const [form = 'stack'] = FORMS.find(([, pattern]) => pattern.test(text.slice(0, MAX_LOOKED_AT))) ?? []
  return { ...event, form, stack: form === 'console' ? fromConsole(text) : text }
}

const MAX_LOOKED_AT = 256 * 1024
const FORMS: readonly (readonly [form: Pasted['form'], pattern: RegExp])[] = [
  ['report', /"usedImages"|^(?:Incident Identifier|Hardware Model|CrashReporter Key): /m],
  // `adb logcat` and Android Studio use different log formats.
  [
    'logcat',
    /^(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} .{0,200}[VDIWEF][ /]|^[VDIWEF]\/[\w.]{1,80}\s{0,20}\(\s{0,9}\d{1,9}\):/m,
  ],
  ['tombstone', /^(?:\*\*\* ){8}|^Build fingerprint: |^Tombstone written to/m],
  // Chrome's console prints `app.js:1 Uncaught …`. Firefox prints `Uncaught …` with frames such as `f https://…`. Safari prints `f —
  // app.js:1:85`.
  [
    'console',
    /^[\w.()-]{1,200}:\d{1,9} {1,9}(?:Uncaught |\w{0,40}Error: )|^[ \t]+(?!at )[^\s(@]{1,200} https?:\/\/\S{1,2000}:\d{1,9}$|^.{1,200} — \S{1,2000}:\d{1,9}:\d{1,9}$/m,
  ],
]
const FIREFOX_FRAME = /^([ \t]{1,20})(?!at )([^\s(@]{1,200}) (https?:\/\/\S{1,2000}:\d{1,9})$/gm
const SAFARI_FRAME = /^[ \t]{0,20}(.{1,200}) — (\S{1,2000}:\d{1,9}:\d{1,9})$/gm
/** Firefox prints a column for the location of the error, but not for frames. */
const FIREFOX_PLACE = /(?:^|\s)([^\s/]{1,200}:\d{1,9})(:\d{1,9})$/m

function fromConsole(text: string): string {
  const [, place, column] = FIREFOX_PLACE.exec(text) ?? []
  let isFirst = true
  return text
    .replace(SAFARI_FRAME, '    at $1 ($2)')
    .replace(FIREFOX_FRAME, (_, indent: string, name: string, address: string) => {
      const isPlace = isFirst && place !== undefined && address.endsWith(`/${place}`)
      isFirst = false
      return `${indent}at ${name} (${address}${isPlace ? column : ''})`
    })
}

function harEntries(text: string): HarEntry[] | undefined {
  if (!/^\s*\{/.test(text) || !text.includes('"entries"')) return undefined
  try {
    // `trim` also removes a byte order mark.
    const { log } = JSON.parse(text.trim()) as { log?: { entries?: unknown } }
    return Array.isArray(log?.entries) ? log.entries.filter((it) => it !== null).slice(0, MAX_ENTRIES) : undefined
  } catch {
    return undefined
  }
}

function reportedIn(entries: readonly HarEntry[]): EventText | undefined {
  for (const { request } of entries) {
    const sent = request?.postData?.text
    if (typeof sent !== 'string' || !sent.includes('stack')) continue
    for (const line of [sent, ...sent.split('\n')]) {
      const event = parseEventText(line)
      if (event.stack !== line) return event
    }
  }
  return undefined
}

/** Returns the initiator of the failed request if there is one; otherwise, the first initiator in the export. */
function initiatorIn(entries: readonly HarEntry[]): string {
  const made = entries.filter(({ _initiator }) => Array.isArray(_initiator?.stack?.callFrames))
  const failed = made.find(({ response }) => !(Number(response?.status) > 0 && Number(response?.status) < 400))
  const lines: string[] = []
  let stack = (failed ?? made[0])?._initiator?.stack
  for (let depth = 0; stack && depth < 20; depth++, stack = stack.parent) {
    for (const { functionName, url, lineNumber, columnNumber } of stack.callFrames ?? []) {
      // Positions in DevTools are zero-based, but positions in stack traces are one-based.
      const position = `${String(url)}:${Number(lineNumber) + 1}:${Number(columnNumber) + 1}`
      lines.push(functionName ? `    at ${String(functionName)} (${position})` : `    at ${position}`)
    }
  }
  return lines.join('\n')
}
