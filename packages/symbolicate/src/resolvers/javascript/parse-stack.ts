import type { RawFrame } from '../../frames.ts'

/** More frames than any runtime reports; the rest is not looked at. */
export const MAX_FRAMES = 500
/** No real frame is longer; a longer line is a message or an attack. */
const MAX_LINE = 4096
/** Text beyond this is not read. */
const MAX_STACK = 4 * 1024 * 1024

// `url:line:column` or `url:line` at the end of a text.
const POSITION = /^(.*?)(?::(\d{1,9}))?:(\d{1,9})$/
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
  const named = splitCall(raw)
  if (named) {
    const [name, place] = named
    if (place.startsWith('eval at ')) return withName(raw, name)
    const [, bundle, offset] = HERMES_ADDRESS.exec(place) ?? []
    if (bundle !== undefined) return withPosition(raw, name, `${bundle}:${Number(offset) + 1}`)
    return withPosition(raw, name, place) ?? withName(raw, name)
  }
  // `at https://h/a.js:1:2`; a message line that begins with "at" has no position at its end.
  const place = raw.slice(3).replace(/^async /, '')
  return /\s/.test(place) && !place.includes('://') ? undefined : withPosition(raw, undefined, place)
}

/** `at fn (place)`, `at (place)`: what stands before the first bracket, and in it. */
function splitCall(raw: string): [name: string | undefined, place: string] | undefined {
  if (!raw.endsWith(')')) return undefined
  const open = raw.indexOf(' (', 'at '.length + 1)
  if (open !== -1) return [raw.slice('at '.length, open), raw.slice(open + 2, -1)]
  return raw.startsWith('at (') ? [undefined, raw.slice('at ('.length, -1)] : undefined
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
  const clean = name === undefined ? undefined : cleanName(name)
  return { raw, ...(clean && clean !== '<anonymous>' && clean !== '?' && { function: clean }) }
}

/** `async* fn`, `new Fn`, `fn [as alias]`, and Firefox's `outer/inner<`. */
function cleanName(name: string): string {
  const bare = name.replace(/^(?:async\*?|new) ?/, '')
  const alias = bare.endsWith(']') ? bare.indexOf(' [as ') : -1
  let end = alias === -1 ? bare.length : alias
  while (end > 0 && (bare[end - 1] === '/' || bare[end - 1] === '<')) end--
  return bare.slice(0, end).trim()
}

/** Whether a frame is the runtime's or an extension's rather than the app's. */
export function isForeign({ file }: RawFrame): boolean {
  if (file === undefined || file === '<anonymous>' || file === 'native') return true
  return /^(?:node:|\[|native |internal\/|wasm:|(?:chrome|moz|safari|safari-web|ms-browser)-extension:|webkit-masked-url:)/.test(
    file,
  )
}
