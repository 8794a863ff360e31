import { JVM_LIMITS } from '../resolvers/jvm-mapping/explain-stack.ts'
import type { BinaryImage } from '../resolvers/native/binary-image.ts'

/** Maximum frames of one event: one more than any resolver lists, so that the resolver can report that frames were omitted. */
export const MAX_FRAMES = JVM_LIMITS.frames + 1

/** An error event with frames in fields. */
export interface FrameEvent {
  /** The frames as a stack, innermost first. */
  stack: string
  service?: string
  version?: string
  /** Loaded images of an Apple app. */
  images?: BinaryImage[]
}

/** Maximum length of the error type before a message. */
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
  // A frame must be a single line.
  return (found as string | undefined)?.replace(/[\r\n]+/g, ' ')
}

export function number(fields: Fields, ...names: string[]): number | undefined {
  return names.map((name) => fields[name]).find((value): value is number => Number.isSafeInteger(value))
}

/** A number, or a string of hexadecimal digits. */
export function address(fields: Fields, ...names: string[]): number | undefined {
  const value = Number(number(fields, ...names) ?? text(fields, ...names) ?? Number.NaN)
  return Number.isSafeInteger(value) ? value : undefined
}

/** The line above the frames; empty if the event has neither type nor message. */
export function titleOf(type: string | undefined, message: string | undefined): string[] {
  const title = [type, message].filter(Boolean).join(': ')
  return title === '' ? [] : [title]
}

/** A frame of another error's stack, quoted in a message. */
const QUOTED_FRAME = /\n[^\S\n]{0,40}(?:at [^\n]{1,1000}|[^\s@]{0,200}@[^\s@]{1,1000}):\d{1,9}:\d{1,9}/

/** A message, without the frames of other errors that it quotes. */
export function messageOf(fields: Fields, name: string): string | undefined {
  const message = fields[name]
  const quoted = typeof message === 'string' ? message.search(QUOTED_FRAME) : -1
  return quoted === -1 ? text(fields, name) : text({ message: (message as string).slice(0, quoted) }, 'message')
}

/**
 * Moves an error's own frames before those quoted in its message. Zone.js errors for rejected promises have no useful frames of their own,
 * so they stay unchanged.
 */
export function ownFramesFirst(stack: string, message: string): string {
  const at = stack.indexOf(message)
  // If the message includes the type, or the text ends mid-line, the text is the stack itself.
  if (at <= 0 || at > MAX_TYPE || !QUOTED_FRAME.test(message) || message.startsWith('Uncaught (in promise)'))
    return stack
  const own = stack.slice(at + message.length)
  if (!/^[^\S\n]*\n/.test(own) || !QUOTED_FRAME.test(own)) return stack
  const end = message.indexOf('\n')
  return `${stack.slice(0, at)}${message.slice(0, end)}${own}${message.slice(end)}`
}

/** Formats a frame from an Apple app's report. */
export function imageLine(index: number, image: string, address: string, name?: string): string {
  return `${index} ${image} ${address}${name === undefined ? '' : ` ${name}`}`
}

/** Formats a JVM frame. */
export function javaLine(method: string, file: string, line: number | undefined): string {
  return `    at ${method}(${file}${line === undefined ? '' : `:${line}`})`
}

/** Formats a library frame in tombstone format. The address is that of the running instruction, not the return address. */
export function nativeLine(
  index: number,
  { offset, file, name, buildId }: { offset: number; file: string; name?: string | undefined; buildId: string },
): string {
  const pc = Math.max(index > 0 ? offset - 1 : offset, 0).toString(16)
  return `#${index} pc ${pc} ${file}${name === undefined ? '' : ` (${name})`} (BuildId: ${buildId})`
}

/** Formats a JavaScript frame in V8's format. */
export function scriptLine(name: string | undefined, file: string, line?: number, column?: number): string {
  const position = [file, line, column].filter((it) => it !== undefined).join(':')
  return `    at ${name === undefined || name === '?' ? position : `${name} (${position})`}`
}
