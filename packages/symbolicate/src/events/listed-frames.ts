import { JVM_FILE } from '../resolvers/jvm-mapping/parse-line.ts'
import { type Fields, fieldsOf, javaLine, list, MAX_FRAMES, number, scriptLine, text } from './frames.ts'

/** Rollbar lists the innermost frame last. */
const ROLLBAR = ['trace', 'trace_chain']
/** The fields that contain frames in events from Elastic APM, Honeybadger, Airbrake, Raygun, Jackson, Log4j and React Native. */
export const LISTS = ['stacktrace', 'backtrace', 'StackTrace', 'stack', 'stackTrace', 'extendedStackTrace']
const FILE = ['abs_path', 'filename', 'file', 'fileName', 'FileName']
const LINE = ['lineno', 'line', 'lineNumber', 'LineNumber', 'number']
const COLUMN = ['colno', 'column', 'columnNumber', 'ColumnNumber']
/** Java clients send the class and the method in separate fields. */
const CLASS = ['class_name', 'classname', 'className', 'ClassName', 'class']
const NAME = ['function', 'method', 'methodName', 'functionName', 'MethodName']

/**
 * Reads frames from clients that send each frame as an object.
 * @param first returns the first usable value among the event fields with the given names.
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

function stackOf(frames: readonly Fields[]): string | undefined {
  const lines = frames.flatMap((frame) => {
    const file = text(frame, ...FILE)
    // In Elastic documents, `line` is an object that contains the line and the column.
    const place = typeof frame.line === 'object' ? fieldsOf(frame.line) : frame
    const line = number(place, ...LINE)
    if (file === undefined || line === undefined) return []
    const [owner, name] = [text(frame, ...CLASS), text(frame, ...NAME)]
    if (owner === undefined || !JVM_FILE.test(file)) return [scriptLine(name, file, line, number(place, ...COLUMN))]
    // Java marks native methods with a negative line.
    const method = `${owner}.${name ?? '<unknown>'}`
    return [line < 0 ? javaLine(method, 'Native Method', undefined) : javaLine(method, file, line)]
  })
  return lines.length === 0 ? undefined : lines.join('\n')
}
