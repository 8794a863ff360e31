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

/**
 * Reads a Bugsnag event in the form that Bugsnag's clients send (`events[0]`), or in the form that Bugsnag's API returns.
 * @returns undefined if the event has no stack in Bugsnag's format.
 */
export function bugsnagEvent(event: unknown): FrameEvent | undefined {
  const root = fieldsOf(event)
  const own = list(root.events)[0] ?? root
  // The first exception is the one that was thrown. The others are its causes.
  const [thrown = {}] = list(own.exceptions)
  const frames = list(thrown.stacktrace).slice(0, MAX_FRAMES)
  if (frames.length === 0) return undefined
  const images = frames.flatMap(imageOf)
  const lines = frames.map((frame, index) => bugsnagLine(frame, index))
  const title = titleOf(text(thrown, 'errorClass', 'error_class'), messageOf(thrown, 'message'))
  const version = text(fieldsOf(own.app), 'version')
  return {
    stack: (images.length > 0 ? lines : [...title, ...lines]).join('\n'),
    ...(version !== undefined && { version }),
    ...(images.length > 0 && { images }),
  }
}

function bugsnagLine(frame: Fields, index: number): string {
  const name = text(frame, 'method')
  const file = text(frame, 'file', 'machoFile') ?? '<unknown>'
  const at = address(frame, 'frameAddress', 'frame_address')
  const [image] = imageOf(frame)
  if (at !== undefined && image) {
    return imageLine(index, image.name, `0x${at.toString(16)}`, name)
  }
  const buildId = text(frame, 'codeIdentifier', 'code_identifier')
  const start = address(frame, 'loadAddress', 'load_address')
  if (at !== undefined && start !== undefined && buildId !== undefined) {
    return nativeLine(index, { offset: at - start, file, name, buildId })
  }
  const line = number(frame, 'lineNumber', 'line_number')
  const column = number(frame, 'columnNumber', 'column_number')
  // Java frames have a qualified name, such as `com.shop.Cart.pay`.
  if (column === undefined && name !== undefined && /^[\w$]+(?:\.[\w$<>]+)+$/.test(name) && !file.includes('/'))
    return javaLine(name, file, line)
  return scriptLine(name, file, line, column)
}

function imageOf(frame: Fields): BinaryImage[] {
  const uuid = text(frame, 'machoUUID', 'macho_uuid')
  const file = text(frame, 'machoFile', 'macho_file')
  const loadAddress = address(frame, 'machoLoadAddress', 'macho_load_address')
  if (uuid === undefined || file === undefined || loadAddress === undefined) return []
  return [{ name: file.split('/').at(-1) as string, uuid, loadAddress, isSystem: isSystemPath(file) }]
}

/**
 * Reads a Grafana Faro event, which contains `exceptions[].stacktrace.frames` (innermost first) and `meta.app`.
 * @returns undefined if the event has no stack in Faro's format.
 */
export function faroEvent(event: unknown): FrameEvent | undefined {
  const root = fieldsOf(event)
  const [thrown = fieldsOf(root.payload)] = list(root.exceptions)
  const frames = list(fieldsOf(thrown.stacktrace).frames).slice(0, MAX_FRAMES)
  if (frames.length === 0) return undefined
  const lines = frames.map((frame) =>
    scriptLine(
      text(frame, 'function'),
      text(frame, 'filename') ?? '<unknown>',
      number(frame, 'lineno'),
      number(frame, 'colno'),
    ),
  )
  const app = fieldsOf(fieldsOf(root.meta).app)
  const [service, version] = [text(app, 'name'), text(app, 'version')]
  return {
    stack: [...titleOf(text(thrown, 'type'), messageOf(thrown, 'value')), ...lines].join('\n'),
    ...(service !== undefined && { service }),
    ...(version !== undefined && { version }),
  }
}
