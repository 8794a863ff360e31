import { stripVTControlCharacters } from 'node:util'
import type { BinaryImage } from '../resolvers/native/binary-image.ts'
import { bugsnagEvent, faroEvent } from './bugsnag-faro.ts'
import { ownFramesFirst } from './frames.ts'
import { LISTS, listedFrames } from './listed-frames.ts'
import { metricKitEvent } from './metric-kit.ts'
import { sentryEvent } from './sentry.ts'

export interface EventText {
  stack: string
  service?: string
  version?: string
  /** Maps the file names in the stack to ECMA-426 debug ids. */
  debugIds?: Record<string, string>
  /** The time of the event, in milliseconds since the Unix epoch. */
  time?: number
  images?: BinaryImage[]
  isBrokenJson?: true
}

const MAX_EVENT = 4 * 1024 * 1024
const MAX_LINES = 10_000
/** Matches an event that follows a prefix from a log collector, such as a time, an id or a level. */
const LOGGED_EVENT = /^(?:[^{"]{0,500}[\s|])?(\{".*\})\s*$/
const STACK_FIELDS = [
  ...['stack', 'stack_trace', 'stacktrace', 'stackTrace', 'callStack', 'error_stack'],
  // OpenTelemetry and Elastic use field names that contain dots.
  ...['exception.stacktrace', 'error.stack_trace', 'error.stack'],
]
const TEXT_FIELDS = ['message', 'trace']
/** Fields that contain the message without the error type. */
const MESSAGE_FIELDS = ['message', 'exception.message', 'error.message']
const SERVICE_FIELDS = ['service', 'service_name', 'serviceName', 'service.name']
const VERSION_FIELDS = [
  'version',
  'release_version',
  'releaseVersion',
  'app_version',
  'code_version',
  'service.version',
]
const DEBUG_ID_FIELDS = ['debug_ids', 'debugIds', '_debugIds']
/** Fields whose `name` and `version` do not describe the app. */
const OTHERS = new Set([
  'sdk',
  'os',
  'device',
  'contexts',
  'browser',
  'runtime',
  'user',
  'usr',
  '_dd',
  'debug_meta',
  'modules',
  'notifier',
  'observer',
  'agent',
  'ecs',
  'instrumentationScope',
  'scope',
  // Frames contain the versions of libraries.
  ...LISTS,
])
const TIME_FIELDS = ['timestamp', 'date', 'time', 'event_time', 'occurred_at']
/** Unix times in seconds, from 2001 to 2286. Times in milliseconds, microseconds and nanoseconds are larger. */
const SECONDS = { least: 1e9, most: 1e10 }
const MAX_DEBUG_IDS = 1000
/** The maximum depth at which fields are searched. OpenTelemetry nests fields ten levels deep. */
const MAX_DEPTH = 12

/**
 * Reads a stack from pasted text. The text can be a JSON error event with the stack at any depth, such as `{"service", "version", "error":
 * {"stack"}}`. Datadog events with tags and Sentry events with frames are also supported. Text that is not an event is treated as the stack
 * itself. JSON escapes in copied text are decoded.
 */
export function parseEventText(text: string): EventText {
  const event = readEvent(text)
  // Some runtimes print stacks in color.
  return { ...event, stack: stripVTControlCharacters(event.stack) }
}

function readEvent(text: string): EventText {
  const trimmed = text.trim()
  if (trimmed.length > MAX_EVENT) return { stack: text }
  // Log lines can also start with a bracket, as in `[Android] …` or `[12:03:44] …`.
  const isJson = /^(?:[{"]|\[\s*[[{"])/.test(trimmed)
  const event = (isJson ? parsed(trimmed) : undefined) ?? loggedEvent(trimmed)
  if (event === undefined) return { stack: unescaped(text), ...(isJson && { isBrokenJson: true }) }
  if (typeof event === 'string') return { stack: unescaped(event) }
  const one = Array.isArray(event) ? event[0] : event
  const framed = sentryEvent(one) ?? bugsnagEvent(one) ?? faroEvent(one) ?? metricKitEvent(one)
  const stack =
    framed?.stack ??
    first(event, STACK_FIELDS, asStack) ??
    first(event, TEXT_FIELDS, asMessage) ??
    listedFrames((names, read) => first(event, names, read))
  if (stack === undefined) return { stack: unescaped(text) }
  const message = first(event, MESSAGE_FIELDS, (field) =>
    typeof field === 'string' && stack.includes(field) ? field : undefined,
  )
  const service = first(event, SERVICE_FIELDS, asName, OTHERS) ?? tag(event, 'service') ?? framed?.service
  const version = framed?.version ?? find(event, VERSION_FIELDS, OTHERS) ?? tag(event, 'version')
  const debugIds = first(event, DEBUG_ID_FIELDS, asDebugIds) ?? first(event, ['images'], debugIdsOfImages)
  const time = first(event, TIME_FIELDS, asTime)
  return {
    // If a stack passed through several loggers, its line breaks may have been escaped repeatedly.
    stack: unescaped(message === undefined ? stack : ownFramesFirst(stack, message)),
    ...(service !== undefined && { service }),
    ...(version !== undefined && { version }),
    ...(debugIds && { debugIds }),
    ...(time !== undefined && { time }),
    ...(framed?.images && { images: framed.images }),
  }
}

/** Matches a frame in JSON text, either after an escaped line break or after the quote that opens a string. */
const ESCAPED =
  /(?:\\n|")(?:[ \t]|\\{1,4}t)+at [^"\n]{1,400}?(?::\d{1,9}[:)"\\]|\((?:Native Method|Unknown Source)\))|\\n[^\s@"\\]{0,200}@[a-z][a-z0-9+.-]{0,20}:/i
/** Matches fields in JSON reports from Apple and from minidump readers. Escapes in such reports must not be decoded. */
const REPORT = /"(?:usedImages|crashing_thread)"/
/** The maximum length of text in which escapes are decoded. Longer text is assumed not to be a pasted stack. */
const MAX_UNESCAPED = 256 * 1024
/** Matches a frame on its own line. If the text contains such a frame, escapes are not decoded, because they are part of a message. */
const OWN_FRAME = /^[ \t]*at \S/m
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
const MAX_ESCAPED = 3

/** Matches a quoted string in JSON or logfmt, such as `throwable="a.b: x\n\tat …"`. The closing quote may be missing. */
const QUOTED = /"((?:[^"\\]|\\.)*)("|\\?$)/gs

/** Matches a frame after a line break that rsyslog escaped. */
const OF_SYSLOG = /#012(?:#011|[ \t])+at \S/
const SYSLOG_ESCAPES: Readonly<Record<string, string>> = { 1: '\t', 2: '\n', 5: '\r' }

/** Decodes JSON and rsyslog escapes in text that was copied from a log or console. */
function unescaped(text: string): string {
  if (text.length > MAX_UNESCAPED || OWN_FRAME.test(text) || REPORT.test(text)) return text
  if (OF_SYSLOG.test(text)) return text.replace(/#01([125])/g, (_, last: string) => SYSLOG_ESCAPES[last] as string)
  let plain = text
  for (let depth = 0; depth < MAX_ESCAPED && ESCAPED.test(plain); depth++) {
    const inQuotes = plain.replace(QUOTED, (quoted, inner: string, end: string) =>
      end === '"' && ESCAPED.test(inner) ? `\n${withoutEscapes(inner)}\n` : quoted,
    )
    // If there is no complete quoted string, the text was truncated or consists of quoted lines.
    plain = inQuotes === plain ? withoutEscapes(plain).replaceAll('"', '\n') : inQuotes
  }
  return plain
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(["\\nrt])/g, (_, letter: string) => ESCAPES[letter] ?? letter)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Returns the first event that contains a stack. Logs from pino, winston and AWS Lambda contain one event per line. */
function loggedEvent(text: string): unknown {
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    const json = LOGGED_EVENT.exec(line)?.[1]
    const event = json === undefined ? undefined : parsed(json)
    if (event !== undefined && first(event, [...STACK_FIELDS, ...TEXT_FIELDS], asMessage) !== undefined) return event
  }
  return undefined
}

function asStack(field: unknown): string | undefined {
  const isOfLines = Array.isArray(field) && field.length > 0 && field.every((line) => typeof line === 'string')
  const text = isOfLines ? field.join('\n') : field
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Returns the message if it is a stack. Google Cloud expects the stack in the message. */
function asMessage(field: unknown): string | undefined {
  const text = asStack(field)
  return text !== undefined && /\n[^\S\n]+at \S|\S@[^\s@]+:\d/.test(text) ? text : undefined
}

/** Reads a Datadog tag from a list such as `["version:1.2.3"]` or from a comma-separated string. */
function tag(event: unknown, name: string): string | undefined {
  const tags = first(event, ['tags', 'ddtags'], (value) => (typeof value === 'string' ? value.split(',') : value))
  const found = Array.isArray(tags)
    ? tags.find((it): it is string => typeof it === 'string' && it.startsWith(`${name}:`))
    : undefined
  return found?.slice(name.length + 1) || undefined
}

function asDebugIds(value: unknown): Record<string, string> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value).filter(([, id]) => typeof id === 'string' && id !== '')
  return entries.length === 0 ? undefined : Object.fromEntries(entries.slice(0, MAX_DEBUG_IDS))
}

/** Reads `debug_meta.images` in the form that Sentry clients send. */
function debugIdsOfImages(value: unknown): Record<string, string> | undefined {
  if (!Array.isArray(value)) return undefined
  const named = value.slice(0, MAX_DEBUG_IDS).map((image) => [image?.code_file, image?.debug_id])
  return asDebugIds(Object.fromEntries(named.filter(([file]) => typeof file === 'string')))
}

function asTime(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return Date.parse(value) || undefined
  if (typeof value !== 'number' || value < SECONDS.least) return undefined
  let seconds = value
  for (let unit = 0; seconds >= SECONDS.most && unit < 3; unit++) seconds /= 1000
  return seconds < SECONDS.most ? Math.floor(seconds * 1000) : undefined
}

function find(root: unknown, names: readonly string[], apart?: ReadonlySet<string>): string | undefined {
  return first(root, names, (field) => (typeof field === 'string' && field !== '' ? field : undefined), apart)
}

/** Accepts a name (`"shop"`) or an object that contains a name (`{"name": "shop"}`). */
function asName(field: unknown): string | undefined {
  const name = typeof field === 'object' && field !== null ? (field as { name?: unknown }).name : field
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** OpenTelemetry writes each field as `{"key": "service.name", "value": {"stringValue": "shop"}}`. */
function fieldsWithin(value: object): Record<string, unknown> {
  const { key, value: held } = value as { key?: unknown; value?: { stringValue?: unknown } | null }
  return typeof key === 'string' && held?.stringValue !== undefined
    ? { [key]: held.stringValue }
    : (value as Record<string, unknown>)
}

function first<T>(
  root: unknown,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
  apart: ReadonlySet<string> = new Set(),
): T | undefined {
  let level = [root]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      const fields = fieldsWithin(value)
      for (const name of names) {
        const field = read(fields[name])
        if (field !== undefined) return field
      }
      for (const [name, field] of Object.entries(fields)) if (!apart.has(name)) next.push(field)
    }
    level = next.slice(0, 10_000)
  }
  return undefined
}
