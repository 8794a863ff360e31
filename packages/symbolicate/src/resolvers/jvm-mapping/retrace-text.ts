import type { StoredContent } from '../../content.ts'
import { indexMapping } from './mapping-index.ts'
import { type JvmFrame, type JvmLine, unparsed } from './parse-line.ts'
import { type PlacedFrame, type RetracedLine, retraceLines } from './retrace.ts'

export interface RetraceOptions {
  /**
   * Whether to show the return types and parameters of methods.
   * @default false
   */
  verbose?: boolean
}

/**
 * Translates an obfuscated stack into the stack that the original program would have printed. The output has the format of R8's retrace.
 * Alternatives start with `<OR>`.
 * @param mapping the path or the bytes of a mapping file from R8 or ProGuard.
 * @throws MappingError if the file is not a mapping, or the file system error if it cannot be read.
 */
export async function retrace(stack: string, mapping: StoredContent, options: RetraceOptions = {}): Promise<string> {
  return retracedText(await retraceLines(stack, await indexMapping(mapping)), options)
}

export function retracedText(lines: readonly RetracedLine[], options: RetraceOptions = {}): string {
  return lines.flatMap((line) => textLines(line, options)).join('\n')
}

function textLines(retraced: RetracedLine, options: RetraceOptions): string[] {
  if (retraced.kind === 'text') return [unparsed(renamed(retraced))]
  const { line: frame, className, chains, gap } = retraced
  if (chains.length > 0) return alternatives(frame, chains, options)
  if (gap === 'compiler') return []
  if (className === undefined) return [unparsed(frame)]
  return [unparsed({ ...frame, className, file: isNative(frame) ? frame.file : (retraced.file ?? frame.file) })]
}

/** Lists the alternative frames at each level, without duplicates. */
function alternatives(frame: JvmFrame, chains: readonly PlacedFrame[][], options: RetraceOptions): string[] {
  const depth = Math.max(...chains.map(({ length }) => length))
  return Array.from({ length: depth }, (_, level) => {
    const frames = chains.flatMap((chain) => chain[level] ?? []).sort(inOrder)
    const texts = [...new Set(frames.map((original) => frameText(frame, original, options)))]
    const before = frame.before.length
    return texts.map((text, index) =>
      index === 0 ? text : frame.before.replace(/at\s+$/, (at) => `<OR> ${at}`) + text.slice(before),
    )
  }).flat()
}

/** Compares frames in R8's order: class, method, return type, number of parameters, parameters and line. */
function inOrder(a: PlacedFrame, b: PlacedFrame): number {
  return (
    compare(a.className, b.className) ||
    compare(a.method, b.method) ||
    compare(a.returnType, b.returnType) ||
    compare(parameterCount(a), parameterCount(b)) ||
    compare(a.parameters, b.parameters) ||
    compare(a.line ?? 0, b.line ?? 0)
  )
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function parameterCount({ parameters }: PlacedFrame): number {
  return parameters === '' ? 0 : parameters.split(',').length
}

function renamed({ line, className, message }: Extract<RetracedLine, { kind: 'text' }>): JvmLine {
  if (line.kind === 'exception')
    return { ...line, className: className ?? line.className, after: message ?? line.after }
  return line.kind === 'other' ? { ...line, text: message ?? line.text } : line
}

function frameText(frame: JvmFrame, original: PlacedFrame, { verbose }: RetraceOptions): string {
  const { line: _, ...rest } = frame
  const { className, method, returnType, parameters, file, line } = original
  return unparsed({
    ...rest,
    className,
    method: verbose ? `${returnType} ${method}(${parameters})` : method,
    file: isNative(frame) ? frame.file : file,
    ...(line !== undefined && !isNative(frame) && { line }),
  })
}

function isNative({ file }: JvmFrame): boolean {
  return file === 'Native Method'
}
