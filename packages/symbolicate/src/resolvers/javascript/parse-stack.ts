import type { RawFrame } from '../../frames.ts'

/** More frames than any runtime reports; the rest is not looked at. */
export const MAX_FRAMES = 500
/** No real frame is longer; a longer line is a message or an attack. */
const MAX_LINE = 4096
/** Text beyond this is not read. */
const MAX_STACK = 4 * 1024 * 1024

// `url:line:column` or `url:line` at the end of a text.
const POSITION = /^(.*?)(?::(\d{1,9}))?:(\d{1,9})$/
const V8_FRAME = /^at (?:(.+?) )?\((.*)\)$/
/** Hermes counts bytes of bytecode, from 0. */
const HERMES_ADDRESS = /^address at (.+:\d{1,9}):(\d{1,9})$/
const RUM_FRAME = /^at (.+?) @ (.+)$/

/** Reads the frames out of a stack as V8, SpiderMonkey, JavaScriptCore, Hermes or the RUM SDK write it. Lines of the message are passed over. */
export function parseStack(stack: string): RawFrame[] {
  const frames: RawFrame[] = []
  for (const line of stack.slice(0, MAX_STACK).split(/\r?\n/)) {
    if (frames.length === MAX_FRAMES) break
    const raw = line.length > MAX_LINE ? '' : line.trim()
    const frame = raw === '' ? undefined : raw.startsWith('at ') ? parseAt(raw) : parseAtSign(raw)
    if (frame) frames.push(frame)
  }
  return frames
}

function parseAt(raw: string): RawFrame | undefined {
  const rum = RUM_FRAME.exec(raw)
  if (rum) return withPosition(raw, rum[1], rum[2] as string)
  const named = V8_FRAME.exec(raw)
  if (named) {
    const place = named[2] as string
    if (place.startsWith('eval at ')) return withName(raw, named[1])
    const [, bundle, offset] = HERMES_ADDRESS.exec(place) ?? []
    if (bundle !== undefined) return withPosition(raw, named[1], `${bundle}:${Number(offset) + 1}`)
    return withPosition(raw, named[1], place) ?? withName(raw, named[1])
  }
  // `at https://h/a.js:1:2`; a message line that begins with "at" has no position at its end.
  const place = raw.slice(3).replace(/^async /, '')
  return /\s/.test(place) && !place.includes('://') ? undefined : withPosition(raw, undefined, place)
}

/** `fn@https://h/a.js:1:123`. */
function parseAtSign(raw: string): RawFrame | undefined {
  const at = raw.indexOf('@')
  if (at === -1) return undefined
  const place = raw.slice(at + 1)
  if (place === '[native code]') return withName(raw, raw.slice(0, at))
  // An e-mail address in a message is no frame: a frame's place is a URL, a path, or a bundle of React Native.
  if (!/^(?:[a-z][a-z0-9+.-]*:|\/|[\w.-]+\.(?:js)?bundle:)/i.test(place)) return undefined
  return withPosition(raw, raw.slice(0, at), place)
}

function withPosition(raw: string, name: string | undefined, place: string): RawFrame | undefined {
  const match = POSITION.exec(place)
  if (!match?.[1]) return undefined
  const [, file, first, second] = match
  const line = Number(first ?? second)
  const column = first === undefined ? undefined : Number(second)
  return { ...withName(raw, name), file, line, ...(column !== undefined && { column }) }
}

function withName(raw: string, name: string | undefined): RawFrame {
  const clean = name
    ?.replace(/^(?:async\*?|new) ?/, '')
    .replace(/ \[as .*\]$/, '')
    .replace(/[/<]+$/, '')
    .trim()
  return { raw, ...(clean && clean !== '<anonymous>' && clean !== '?' && { function: clean }) }
}

/** Whether a frame is the runtime's or an extension's rather than the app's. */
export function isForeign({ file }: RawFrame): boolean {
  if (file === undefined || file === '<anonymous>' || file === 'native') return true
  return /^(?:node:|\[|native |internal\/|wasm:|(?:chrome|moz|safari|safari-web|ms-browser)-extension:|webkit-masked-url:)/.test(
    file,
  )
}
