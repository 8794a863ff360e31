import { stripVTControlCharacters } from 'node:util'
import type { BinaryImage } from '../resolvers/native/binary-image.ts'
import { bugsnagEvent, faroEvent } from './bugsnag-faro.ts'
import { ownFramesFirst } from './frames.ts'
import { listedFrames } from './listed-frames.ts'
import { metricKitEvent } from './metric-kit.ts'
import { sentryEvent } from './sentry.ts'

/** What a pasted text contains. */
export interface EventText {
  stack: string
  service?: string
  version?: string
  /** File name in the stack → ECMA-426 debug id. */
  debugIds?: Record<string, string>
  /** Time of the event in Unix milliseconds. */
  time?: number
  /** Loaded images of an Apple app. */
  images?: BinaryImage[]
  /** Whether the text starts like JSON but is invalid. */
  isBrokenJson?: true
}

const MAX_EVENT = 4 * 1024 * 1024
/** Maximum log lines to examine. */
const MAX_LINES = 10_000
/** An event that follows a log collector's prefix: times, ids and levels. */
const LOGGED_EVENT = /^(?:[^{"]{0,500}[\s|])?(\{".*\})\s*$/
const STACK_FIELDS = [
  ...['stack', 'stack_trace', 'stacktrace', 'stackTrace', 'callStack', 'error_stack'],
  // Fields from OpenTelemetry and Elastic, whose names contain dots.
  ...['exception.stacktrace', 'error.stack_trace', 'error.stack'],
]
/** Fields that contain a stack or something else: a message, AWS Lambda's answer, a trace id. */
const TEXT_FIELDS = ['message', 'trace']
/** The message at the start of an error's stack, after the error type. */
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
/** Objects whose version and name do not describe the app. */
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
])
const TIME_FIELDS = ['timestamp', 'date', 'time', 'event_time', 'occurred_at']
/** Unix times from 2001 to 2286 in seconds, milliseconds, microseconds or nanoseconds. */
const SECONDS = { least: 1e9, most: 1e10 }
const MAX_DEBUG_IDS = 1000
/** Maximum nesting depth to search. OpenTelemetry uses ten levels. */
const MAX_DEPTH = 12

/**
 * Reads a stack, or a JSON error event that contains one: `{"service", "version", "error": {"stack"}}` and similar at any depth, a Datadog
 * event with tags, or a Sentry event with frames. Any other text is treated as the stack. Resolves JSON escapes in copied text.
 */
export function parseEventText(text: string): EventText {
  const event = readEvent(text)
  // Runtimes print coloured stacks on terminals.
  return { ...event, stack: stripVTControlCharacters(event.stack) }
}

function readEvent(text: string): EventText {
  const trimmed = text.trim()
  if (trimmed.length > MAX_EVENT) return { stack: text }
  // A log line may start with a bracket: `[Android] …`, `[12:03:44] …`.
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
    // In text that was logged twice, line ends are escaped twice.
    stack: unescaped(message === undefined ? stack : ownFramesFirst(stack, message)),
    ...(service !== undefined && { service }),
    ...(version !== undefined && { version }),
    ...(debugIds && { debugIds }),
    ...(time !== undefined && { time }),
    ...(framed?.images && { images: framed.images }),
  }
}

/** A frame in JSON text: after an escaped line end, or after the quote that begins a string. */
const ESCAPED =
  /(?:\\n|")(?:[ \t]|\\{1,4}t)+at [^"\n]{1,400}?(?::\d{1,9}[:)"\\]|\((?:Native Method|Unknown Source)\))|\\n[^\s@"\\]{0,200}@[a-z][a-z0-9+.-]{0,20}:/i
/** Fields in JSON reports that must be parsed as a whole: reports from Apple and from minidump readers. */
const REPORT = /"(?:usedImages|crashing_thread)"/
/** Longer texts are not pasted stacks. */
const MAX_UNESCAPED = 256 * 1024
/** A frame on its own line. Escapes are then part of a message. */
const OWN_FRAME = /^[ \t]*at \S/m
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
/** Maximum levels of JSON nested inside JSON strings. */
const MAX_ESCAPED = 3

/** A quoted text, as in JSON and logfmt: `throwable="a.b: x\n\tat …"`. */
const QUOTED = /"((?:[^"\\]|\\.)*)"/g

/** A frame after a line end that rsyslog escaped, and its escapes. */
const OF_SYSLOG = /#012(?:#011|[ \t])+at \S/
const SYSLOG_ESCAPES: Readonly<Record<string, string>> = { 1: '\t', 2: '\n', 5: '\r' }

/** Resolves the escapes of JSON and of rsyslog in text copied from a log or console. */
function unescaped(text: string): string {
  if (text.length > MAX_UNESCAPED || OWN_FRAME.test(text) || REPORT.test(text)) return text
  if (OF_SYSLOG.test(text)) return text.replace(/#01([125])/g, (_, last: string) => SYSLOG_ESCAPES[last] as string)
  let plain = text
  for (let depth = 0; depth < MAX_ESCAPED && ESCAPED.test(plain); depth++) {
    const inQuotes = plain.replace(QUOTED, (quoted, inner: string) =>
      ESCAPED.test(inner) ? `\n${withoutEscapes(inner)}\n` : quoted,
    )
    // The text may be cut off, or may be a list of quoted lines.
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

/** The first event with a stack in a log with one event per line, as written by pino, winston and AWS Lambda. */
function loggedEvent(text: string): unknown {
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    const json = LOGGED_EVENT.exec(line)?.[1]
    const event = json === undefined ? undefined : parsed(json)
    if (event !== undefined && first(event, [...STACK_FIELDS, ...TEXT_FIELDS], asMessage) !== undefined) return event
  }
  return undefined
}

/** A text or a list of lines. */
function asStack(field: unknown): string | undefined {
  const isOfLines = Array.isArray(field) && field.length > 0 && field.every((line) => typeof line === 'string')
  const text = isOfLines ? field.join('\n') : field
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** The message, if it consists only of a stack, as Google Cloud requires. */
function asMessage(field: unknown): string | undefined {
  const text = asStack(field)
  return text !== undefined && /\n[^\S\n]+at \S|\S@[^\s@]+:\d/.test(text) ? text : undefined
}

/** Datadog's tags: `["version:1.2.3"]`, or one comma-separated text. */
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

/** `debug_meta.images`, in the form that Sentry's clients send. */
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

/** `"shop"`, or `{"name": "shop"}`. */
function asName(field: unknown): string | undefined {
  const name = typeof field === 'object' && field !== null ? (field as { name?: unknown }).name : field
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** OpenTelemetry sends fields as `{"key": "service.name", "value": {"stringValue": "shop"}}`. */
function fieldsWithin(value: object): Record<string, unknown> {
  const { key, value: held } = value as { key?: unknown; value?: { stringValue?: unknown } | null }
  return typeof key === 'string' && held?.stringValue !== undefined
    ? { [key]: held.stringValue }
    : (value as Record<string, unknown>)
}

/** The first usable value under one of the names. Values closest to the root come first. */
function first<T>(
  root: unknown,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
  /** Fields that are not searched. */
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
