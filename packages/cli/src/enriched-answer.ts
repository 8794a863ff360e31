import type { Reason, ResolvedPosition } from '@symup/symbolicate'

/** A frame as `POST /sourcemap/stack/enrich` answers it; `raw` and `reason` are additions that other intakes do not have. */
export interface EnrichedFrame {
  function?: string
  file?: string
  line?: number
  column?: number
  converted: boolean
  code_snippets?: { line: number; code: string }[]
  original_frame?: { function?: string; file?: string; line?: number; column?: number }
  raw?: string
  reason?: Reason
  note?: string
  /** The compiler copied this call into the next frame. */
  inlined?: boolean
  /** What the frame may have been instead, each as a list of frames, innermost first. */
  candidates?: ResolvedPosition[][]
}

/** What an intake answered, as far as it has the right form. */
export interface EnrichedAnswer {
  frames?: EnrichedFrame[]
  /** The whole stack, rewritten. */
  retraced?: string
  /** What else there is to know about the stack. */
  note?: string
  /** Why there are no frames. */
  message?: string
}

/** Reads an answer of which nothing is believed: what has another form than it should is left out. Throws nothing. */
export function readAnswer(json: string): EnrichedAnswer {
  const { data, error } = fieldsOf(parsed(json))
  const { frames, retraced, note } = fieldsOf(data)
  const { message } = fieldsOf(error)
  return defined({
    frames: Array.isArray(frames) ? frames.map(readFrame) : undefined,
    retraced: text(retraced),
    note: text(note),
    message: text(message),
  })
}

function readFrame(value: unknown): EnrichedFrame {
  const { converted, inlined, raw, note, original_frame: original, reason, candidates, ...rest } = fieldsOf(value)
  const { code, message, fix } = fieldsOf(reason)
  return defined({
    ...readPlace(rest),
    converted: converted === true,
    inlined: inlined === true ? true : undefined,
    raw: text(raw),
    note: text(note),
    code_snippets: readSnippet(rest.code_snippets),
    original_frame: original === undefined || original === null ? undefined : readPlace(fieldsOf(original)),
    reason: text(code) ? ({ code, message: text(message) ?? '', fix: text(fix) ?? '' } as Reason) : undefined,
    candidates: listOf(candidates)?.map((chain) => (listOf(chain) ?? []).flatMap(readPosition)),
  })
}

function readPosition(value: unknown): ResolvedPosition[] {
  const fields = fieldsOf(value)
  const { file, ...place } = readPlace(fields)
  if (file === undefined) return []
  const snippet = readSnippet(fields.snippet)
  const inlined = listOf(fields.inlined)?.flatMap(readPosition)
  return [{ file, ...place, ...defined({ snippet, inlined }) }]
}

function readPlace(fields: Fields) {
  return defined({
    function: text(fields.function),
    file: text(fields.file),
    line: number(fields.line),
    column: number(fields.column),
  })
}

function readSnippet(value: unknown): { line: number; code: string }[] | undefined {
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

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Without the fields that are not there. */
function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
