import { JVM_FILE } from '../resolvers/jvm-mapping/parse-line.ts'
import { type Fields, fieldsOf, javaLine, list, MAX_FRAMES, number, scriptLine, text } from './frames.ts'

/** Lists from Rollbar, in which the last frame is the innermost. */
const ROLLBAR = ['trace', 'trace_chain']
/** Lists from Elastic APM, Honeybadger, Airbrake, Raygun, Jackson, Log4j, and React Native's own reports. */
const LISTS = ['stacktrace', 'backtrace', 'StackTrace', 'stack', 'stackTrace', 'extendedStackTrace']
const FILE = ['abs_path', 'filename', 'file', 'fileName', 'FileName']
const LINE = ['lineno', 'line', 'lineNumber', 'LineNumber', 'number']
const COLUMN = ['colno', 'column', 'columnNumber', 'ColumnNumber']
/** Java clients send the class apart from the method. */
const CLASS = ['class_name', 'classname', 'className', 'ClassName', 'class']
const NAME = ['function', 'method', 'methodName', 'functionName', 'MethodName']

/**
 * Reads frames from clients that send a list of fields.
 * @param first returns an event's first usable value under one of the names.
 */
export function listedFrames(
  first: (names: readonly string[], read: (value: unknown) => string | undefined) => string | undefined,
): string | undefined {
  return (
    first(ROLLBAR, (value) => {
      const trace = Array.isArray(value) ? value[0] : value
      return stackOf(list(fieldsOf(trace).frames).slice(-MAX_FRAMES).reverse())
    }) ?? first(LISTS, (value) => stackOf(list(value).slice(0, MAX_FRAMES)))
  )
}

/** Undefined if no item has a file and a line. */
function stackOf(frames: readonly Fields[]): string | undefined {
  const lines = frames.flatMap((frame) => {
    const file = text(frame, ...FILE)
    // Documents from Elastic store both in an object.
    const place = typeof frame.line === 'object' ? fieldsOf(frame.line) : frame
    const line = number(place, ...LINE)
    if (file === undefined || line === undefined) return []
    const [owner, name] = [text(frame, ...CLASS), text(frame, ...NAME)]
    return owner !== undefined && JVM_FILE.test(file)
      ? [javaLine(`${owner}.${name}`, file, line)]
      : [scriptLine(name, file, line, number(place, ...COLUMN))]
  })
  return lines.length === 0 ? undefined : lines.join('\n')
}
