import type { BinaryImage } from './resolvers/native/apple-report.ts'

/** What is read of a Sentry event, as its clients send it and as the JSON link of an issue shows it. */
export interface SentryEvent {
  /** The frames as a stack, innermost first. */
  stack: string
  service?: string
  version?: string
  /** Of an event of an Apple app. */
  images?: BinaryImage[]
}

type Fields = Readonly<Record<string, unknown>>

const MAX_FRAMES = 500
const MAX_IMAGES = 20_000
const MAX_VALUES = 50

/** @returns undefined for an event without a stack in Sentry's form. */
export function sentryEvent(event: unknown): SentryEvent | undefined {
  const root = fieldsOf(event)
  const values = exceptionsOf(root)
  const stacks = values.map((value) => ({ value, frames: framesOf(value) })).filter(({ frames }) => frames.length > 0)
  // Chained exceptions stand oldest first; the last one is what was thrown.
  const last = stacks.at(-1)
  if (!last) return undefined
  const images = imagesOf(root)
  const title = [text(last.value, 'type'), text(last.value, 'value')].filter(Boolean).join(': ')
  const lines = last.frames
    .slice(-MAX_FRAMES)
    .reverse()
    .map((frame, index) => lineOf(frame, index, images))
  const isApple = lines.some((line) => /^\d/.test(line))
  return {
    stack: [...(title === '' || isApple ? [] : [title]), ...lines].join('\n'),
    ...releaseOf(root),
    ...(isApple && images.length > 0 && { images }),
  }
}

/** `exception.values` as clients send it, `entries[].data.values` as the API has it. */
function exceptionsOf(root: Fields): Fields[] {
  const entries = list(root.entries).find((entry) => text(entry, 'type') === 'exception')
  const sent = root.exception ?? entries?.data
  const values = Array.isArray(sent) ? sent : fieldsOf(sent).values
  return list(values).slice(-MAX_VALUES)
}

function framesOf(value: Fields): Fields[] {
  const { stacktrace, rawStacktrace, raw_stacktrace: raw } = value
  // Sentry keeps the frames as they came beside those that it has resolved.
  return [rawStacktrace, raw, stacktrace].map((it) => list(fieldsOf(it).frames)).find((it) => it.length > 0) ?? []
}

function lineOf(frame: Fields, index: number, images: readonly BinaryImage[]): string {
  const address = text(frame, 'instruction_addr', 'instructionAddr')
  const module = text(frame, 'module')
  const name = text(frame, 'function')
  if (address !== undefined) {
    const library = text(frame, 'package')?.split('/').at(-1)
    const at = Number(address)
    const image = images.find((it) => at >= it.loadAddress && at <= (it.maxAddress ?? it.loadAddress))
    return `${index} ${library ?? image?.name ?? '???'} ${address}${name === undefined ? '' : ` ${name}`}`
  }
  const file = text(frame, 'abs_path', 'absPath', 'filename') ?? '<unknown>'
  const line = number(frame, 'lineno', 'lineNo')
  const column = number(frame, 'colno', 'colNo')
  const position = [file, line, column].filter((it) => it !== undefined).join(':')
  if (module !== undefined && column === undefined && /\.(?:java|kt)$/.test(text(frame, 'filename') ?? ''))
    return `    at ${module}.${name ?? '<unknown>'}(${text(frame, 'filename')}${line === undefined ? '' : `:${line}`})`
  return `    at ${name === undefined || name === '?' ? position : `${name} (${position})`}`
}

/** `shop@1.2.3` names the service too. */
function releaseOf(root: Fields): Pick<SentryEvent, 'service' | 'version'> {
  const release = text(root, 'release') ?? text(fieldsOf(root.release), 'version')
  if (release === undefined) return {}
  const [, service, version] = /^([^@\s]+)@([^@]+)$/.exec(release) ?? []
  return service === undefined || version === undefined ? { version: release } : { service, version }
}

function imagesOf(root: Fields): BinaryImage[] {
  const entry = list(root.entries).find((it) => text(it, 'type') === 'debugmeta')
  const given = list(fieldsOf(root.debug_meta ?? entry?.data).images)
  return given.slice(0, MAX_IMAGES).flatMap((image): BinaryImage[] => {
    const uuid = text(image, 'debug_id', 'uuid')
    const file = text(image, 'code_file', 'name')
    const loadAddress = Number(text(image, 'image_addr') ?? Number.NaN)
    const size = number(image, 'image_size')
    if (uuid === undefined || file === undefined || !Number.isSafeInteger(loadAddress)) return []
    const name = file.split('/').at(-1) as string
    const isSystem = /^\/(?:System|usr\/lib|private\/preboot)\//.test(file)
    // A debug id may have an age after the UUID.
    const id = uuid.replace(/^([0-9a-f-]{36})-[0-9a-f]+$/i, '$1')
    const arch = text(image, 'arch')
    const end = size === undefined ? {} : { maxAddress: loadAddress + size - 1 }
    return [{ name, uuid: id, loadAddress, isSystem, ...end, ...(arch !== undefined && { arch }) }]
  })
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

function text(fields: Fields, ...names: string[]): string | undefined {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  // One frame is one line.
  return (found as string | undefined)?.replace(/[\r\n]+/g, ' ')
}

function number(fields: Fields, ...names: string[]): number | undefined {
  return names.map((name) => fields[name]).find((value): value is number => Number.isSafeInteger(value))
}
