import type { Explanation, RawFrame, Reason, ResolvedFrame, ResolvedPosition, SnippetLine } from './frames.ts'

/**
 * Converts the `data` field of the intake's response to `POST /sourcemap/stack/enrich` into a `symbolicate` result. The response is not
 * trusted: fields with an unexpected type are omitted, and the function never throws.
 * @returns undefined if the response has no frames.
 */
export function readEnrichedAnswer(data: unknown): Explanation | undefined {
  const { frames, retraced, note } = fieldsOf(data)
  if (!Array.isArray(frames)) return undefined
  const about = defined({ text: text(retraced), note: text(note) })
  return { frames: withInlined(frames.map(fieldsOf)), ...about }
}

/** Moves inlined calls into the frame that contains them. The response lists inlined calls before that frame. */
function withInlined(answered: readonly Fields[]): ResolvedFrame[] {
  let inlined: ResolvedPosition[] = []
  return answered.flatMap((fields) => {
    const frame = frameOf(fields)
    if (frame.resolved && fields.inlined === true) {
      inlined.push(frame.resolved)
      return []
    }
    const whole = frame.resolved && inlined.length > 0 ? { ...frame, resolved: { ...frame.resolved, inlined } } : frame
    inlined = []
    return [whole]
  })
}

function frameOf(fields: Fields): ResolvedFrame {
  const { converted, original_frame: original, candidates } = fields
  const raw = rawFrameOf(fields.raw, fieldsOf(original ?? (converted === true ? {} : fields)))
  const reason = reasonOf(fields.reason)
  const [place] = converted === true ? positionOf(fields) : []
  if (!place) return { ...raw, resolved: null, ...defined({ reason }) }
  const snippet = snippetOf(fields.code_snippets)
  const others = listOf(candidates)?.flatMap((chain) => chainOf((listOf(chain) ?? []).flatMap(positionOf)))
  const resolved = { ...place, ...(snippet?.length && { snippet }), ...defined({ candidates: others }) }
  return { ...raw, resolved, ...defined({ reason, note: text(fields.note) }) }
}

/** Reconstructs the stack line if it is missing. Intakes other than symup's may not return the original line. */
function rawFrameOf(raw: unknown, original: Fields): RawFrame {
  const frame = { ...placeOf(original), ...defined({ module: text(original.module), address: text(original.address) }) }
  const shown = `at ${frame.function ?? '<anonymous>'} (${frame.file}:${frame.line}:${frame.column})`
  return { raw: text(raw) ?? shown, ...frame }
}

function reasonOf(value: unknown): Reason | undefined {
  const { code, message, fix } = fieldsOf(value)
  return text(code) ? ({ code, message: text(message) ?? '', fix: text(fix) ?? '' } as Reason) : undefined
}

function positionOf(value: unknown): ResolvedPosition[] {
  const { file, ...place } = placeOf(fieldsOf(value))
  return file === undefined ? [] : [{ file, ...place }]
}

/** Returns the outermost position, with all inner positions as inlined calls. The innermost position comes first. */
function chainOf(positions: readonly ResolvedPosition[]): ResolvedPosition[] {
  const outermost = positions.at(-1)
  if (!outermost) return []
  return [positions.length === 1 ? outermost : { ...outermost, inlined: positions.slice(0, -1) }]
}

function placeOf(fields: Fields) {
  return defined({
    function: text(fields.function),
    file: text(fields.file),
    line: number(fields.line),
    column: number(fields.column),
  })
}

function snippetOf(value: unknown): SnippetLine[] | undefined {
  return listOf(value)?.flatMap((item) => {
    const { line, code } = fieldsOf(item)
    return typeof line === 'number' && typeof code === 'string' ? [{ line, code }] : []
  })
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const listOf = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined)
const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
const number = (value: unknown) => (typeof value === 'number' ? value : undefined)

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
