import { JVM_FILE } from '../resolvers/jvm-mapping/parse-line.ts'
import { type BinaryImage, isSystemPath } from '../resolvers/native/binary-image.ts'
import {
  address,
  type Fields,
  type FrameEvent,
  fieldsOf,
  imageLine,
  javaLine,
  list,
  MAX_FRAMES,
  messageOf,
  nativeLine,
  number,
  scriptLine,
  text,
  titleOf,
} from './frames.ts'

const MAX_IMAGES = 20_000
const MAX_VALUES = 50

/**
 * Reads a Sentry event in the form that Sentry's clients send, or in the form of the JSON link on an issue page.
 * @returns undefined if the event has no stack in Sentry's format.
 */
export function sentryEvent(event: unknown): FrameEvent | undefined {
  const root = fieldsOf(event)
  const values = exceptionsOf(root)
  const stacks = values.map((value) => ({ value, frames: framesOf(value) })).filter(({ frames }) => frames.length > 0)
  // Sentry lists chained exceptions from oldest to newest. The last exception is the one that was thrown.
  const last = stacks.at(-1) ?? { value: values.at(-1) ?? {}, frames: framesBeside(root) }
  if (last.frames.length === 0) return undefined
  const [images, libraries] = imagesOf(root)
  const type = last.frames.some(isJavaFrame) ? javaType(last.value) : text(last.value, 'type')
  const title = titleOf(type, messageOf(last.value, 'value'))
  const lines = last.frames
    .slice(-MAX_FRAMES)
    .reverse()
    .map((frame, index) => libraryLine(frame, index, libraries) ?? lineOf(frame, index, images))
  const isApple = lines.some((line) => /^\d/.test(line))
  return {
    stack: [...(isApple ? [] : title), ...lines].join('\n'),
    ...releaseOf(root),
    ...(isApple && images.length > 0 && { images }),
  }
}

/** Clients send each part of an event in a field with the part's name. The API returns the parts in `entries[].data`. */
function partOf(root: Fields, name: string): unknown {
  return root[name] ?? list(root.entries).find((entry) => text(entry, 'type') === name)?.data
}

function exceptionsOf(root: Fields): Fields[] {
  const sent = partOf(root, 'exception')
  const values = Array.isArray(sent) ? sent : fieldsOf(sent).values
  return list(values).slice(-MAX_VALUES)
}

function framesOf(value: Fields): Fields[] {
  const { stacktrace, rawStacktrace, raw_stacktrace: raw } = value
  // Sentry stores the original frames next to the resolved frames.
  return [rawStacktrace, raw, stacktrace].map((it) => list(fieldsOf(it).frames)).find((it) => it.length > 0) ?? []
}

function libraryLine(frame: Fields, index: number, libraries: readonly Library[]): string | undefined {
  const at = address(frame, 'instruction_addr', 'instructionAddr')
  const library =
    at === undefined ? undefined : libraries.find(({ start, end }) => at >= start && (end === undefined || at < end))
  if (at === undefined || !library) return undefined
  return nativeLine(index, { ...library, offset: at - library.start, name: text(frame, 'function') })
}

function isJavaFrame(frame: Fields): boolean {
  return (
    text(frame, 'module') !== undefined &&
    number(frame, 'colno', 'colNo') === undefined &&
    JVM_FILE.test(text(frame, 'filename') ?? '')
  )
}

function javaType(value: Fields): string | undefined {
  return [text(value, 'module'), text(value, 'type')].filter(Boolean).join('.') || undefined
}

function lineOf(frame: Fields, index: number, images: readonly BinaryImage[]): string {
  const address = text(frame, 'instruction_addr', 'instructionAddr')
  const module = text(frame, 'module')
  const name = text(frame, 'function')
  if (address !== undefined) {
    const library = text(frame, 'package')?.split('/').at(-1)
    const at = Number(address)
    const image = images.find((it) => at >= it.loadAddress && at <= (it.maxAddress ?? it.loadAddress))
    return imageLine(index, library ?? image?.name ?? '???', address, name)
  }
  const file = text(frame, 'abs_path', 'absPath', 'filename') ?? '<unknown>'
  const line = number(frame, 'lineno', 'lineNo')
  const column = number(frame, 'colno', 'colNo')
  if (isJavaFrame(frame)) return javaLine(`${module}.${name ?? '<unknown>'}`, `${text(frame, 'filename')}`, line)
  return scriptLine(name, file, line, column)
}

/**
 * Returns the stack of the crashed thread, or of a thrown value that is not an error. Sentry stores such stacks separately from the
 * exceptions.
 */
function framesBeside(root: Fields): Fields[] {
  const threads = list(fieldsOf(partOf(root, 'threads')).values)
  const thread = threads.find(({ crashed }) => crashed === true) ?? threads.find(({ current }) => current === true)
  const [frames = []] = [{ stacktrace: partOf(root, 'stacktrace') }, thread ?? {}]
    .map(framesOf)
    .filter(({ length }) => length > 0)
  return frames
}

function releaseOf(root: Fields): Pick<FrameEvent, 'service' | 'version'> {
  const release = text(root, 'release') ?? text(fieldsOf(root.release), 'version')
  if (release === undefined) return {}
  const [, service, version] = /^([^@\s]+)@([^@]+)$/.exec(release) ?? []
  return service === undefined || version === undefined ? { version: release } : { service, version }
}

interface Library {
  file: string
  buildId: string
  start: number
  /** The address just past the end of the library, if known. */
  end?: number
}

function imagesOf(root: Fields): [BinaryImage[], Library[]] {
  const entry = list(root.entries).find((it) => text(it, 'type') === 'debugmeta')
  const images: BinaryImage[] = []
  const libraries: Library[] = []
  for (const image of list(fieldsOf(root.debug_meta ?? entry?.data).images).slice(0, MAX_IMAGES)) {
    const uuid = text(image, 'debug_id', 'uuid')
    const file = text(image, 'code_file', 'name')
    const buildId = text(image, 'code_id')
    const start = address(image, 'image_addr')
    const size = number(image, 'image_size')
    if (file === undefined || start === undefined) continue
    if (text(image, 'type') === 'elf' && buildId !== undefined) {
      libraries.push({ file, buildId, start, ...(size !== undefined && { end: start + size }) })
      continue
    }
    if (uuid === undefined) continue
    const name = file.split('/').at(-1) as string
    // In Sentry, a debug id can be a UUID followed by an age.
    const id = uuid.replace(/^([0-9a-f-]{36})-[0-9a-f]+$/i, '$1')
    const arch = text(image, 'arch')
    const end = size === undefined ? {} : { maxAddress: start + size - 1 }
    images.push({
      name,
      uuid: id,
      loadAddress: start,
      isSystem: isSystemPath(file),
      ...end,
      ...(arch !== undefined && { arch }),
    })
  }
  return [images, libraries]
}
