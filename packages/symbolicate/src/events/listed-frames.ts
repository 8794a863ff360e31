import { type Fields, fieldsOf, list, MAX_FRAMES, number, scriptLine, text } from './frames.ts'

/** Rollbar lists the innermost frame last. */
const ROLLBAR = ['trace', 'trace_chain']
/** Fields that Elastic APM, Honeybadger, Airbrake, Raygun and React Native use for lists of frames. */
const LISTS = ['stacktrace', 'backtrace', 'StackTrace', 'stack']
const FILE = ['abs_path', 'filename', 'file', 'fileName', 'FileName']
const LINE = ['lineno', 'line', 'lineNumber', 'LineNumber', 'number']
const COLUMN = ['colno', 'column', 'columnNumber', 'ColumnNumber']
const NAME = ['function', 'method', 'methodName', 'functionName', 'MethodName']

/**
 * Reads frames from clients that send each frame as an object with fields.
 * @param first returns the first usable value in an event's fields with the given names.
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

/** Returns undefined if no item has both a file and a line. */
function stackOf(frames: readonly Fields[]): string | undefined {
  const lines = frames.flatMap((frame) => {
    const file = text(frame, ...FILE)
    // Elastic documents put the line and the column into an object.
    const place = typeof frame.line === 'object' ? fieldsOf(frame.line) : frame
    const line = number(place, ...LINE)
    return file === undefined || line === undefined
      ? []
      : [scriptLine(text(frame, ...NAME), file, line, number(place, ...COLUMN))]
  })
  return lines.length === 0 ? undefined : lines.join('\n')
}
