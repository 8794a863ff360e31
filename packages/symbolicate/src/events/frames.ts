import { JVM_LIMITS } from '../resolvers/jvm-mapping/explain-stack.ts'
import type { BinaryImage } from '../resolvers/native/binary-image.ts'

/**
 * The maximum number of frames to read from an event. The limit is higher than the limit of every resolver, so that resolvers can report
 * omitted frames.
 */
export const MAX_FRAMES = JVM_LIMITS.frames + 1

/** An error event that stores its frames as fields rather than text. */
export interface FrameEvent {
  stack: string
  service?: string
  version?: string
  images?: BinaryImage[]
}

const MAX_TYPE = 200

export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function text(fields: Fields, ...names: string[]): string | undefined {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  // Line breaks in a field would split the frame.
  return (found as string | undefined)?.replace(/[\r\n]+/g, ' ')
}

export function number(fields: Fields, ...names: string[]): number | undefined {
  return names.map((name) => fields[name]).find((value): value is number => Number.isSafeInteger(value))
}

export function address(fields: Fields, ...names: string[]): number | undefined {
  const value = Number(number(fields, ...names) ?? text(fields, ...names) ?? Number.NaN)
  return Number.isSafeInteger(value) ? value : undefined
}

/** Returns the line to print above the frames. The list is empty if the event has neither a type nor a message. */
export function titleOf(type: string | undefined, message: string | undefined): string[] {
  const title = [type, message].filter(Boolean).join(': ')
  return title === '' ? [] : [title]
}

/** Matches a frame of another error that is quoted in a message. */
const QUOTED_FRAME = /\n[^\S\n]{0,40}(?:at [^\n]{1,1000}|[^\s@]{0,200}@[^\s@]{1,1000}):\d{1,9}:\d{1,9}/

export function messageOf(fields: Fields, name: string): string | undefined {
  const message = fields[name]
  const quoted = typeof message === 'string' ? message.search(QUOTED_FRAME) : -1
  return quoted === -1 ? text(fields, name) : text({ message: (message as string).slice(0, quoted) }, 'message')
}

/**
 * Moves an error's own frames before the frames quoted in its message. Zone.js errors for rejected promises are left unchanged, because
 * their own frames are not useful.
 */
export function ownFramesFirst(stack: string, message: string): string {
  const at = stack.indexOf(message)
  if (at <= 0 || at > MAX_TYPE || !QUOTED_FRAME.test(message) || message.startsWith('Uncaught (in promise)'))
    return stack
  const own = stack.slice(at + message.length)
  if (!/^[^\S\n]*\n/.test(own) || !QUOTED_FRAME.test(own)) return stack
  const end = message.indexOf('\n')
  return `${stack.slice(0, at)}${message.slice(0, end)}${own}${message.slice(end)}`
}

export function imageLine(index: number, image: string, address: string, name?: string): string {
  return `${index} ${image} ${address}${name === undefined ? '' : ` ${name}`}`
}

export function javaLine(method: string, file: string, line: number | undefined): string {
  return `    at ${method}(${file}${line === undefined ? '' : `:${line}`})`
}

/**
 * Formats a native frame like a line in an Android tombstone. Unlike other stacks, tombstones contain the addresses of calls rather than
 * return addresses.
 */
export function nativeLine(
  index: number,
  { offset, file, name, buildId }: { offset: number; file: string; name?: string | undefined; buildId: string },
): string {
  const pc = Math.max(index > 0 ? offset - 1 : offset, 0).toString(16)
  return `#${index} pc ${pc} ${file}${name === undefined ? '' : ` (${name})`} (BuildId: ${buildId})`
}

export function scriptLine(name: string | undefined, file: string, line?: number, column?: number): string {
  const position = [file, line, column].filter((it) => it !== undefined).join(':')
  return `    at ${name === undefined || name === '?' ? position : `${name} (${position})`}`
}
