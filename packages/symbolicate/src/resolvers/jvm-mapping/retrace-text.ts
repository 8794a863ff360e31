import type { MappingIndex } from './mapping-index.ts'
import type { MethodEntry } from './mapping-line.ts'
import { type JvmFrame, type JvmLine, parseJvmLine, unparsed } from './parse-line.ts'
import type { PlacedFrame, RetracedLine } from './retrace.ts'

export interface RetraceTextOptions {
  /** Shows return types and parameters of methods. Default false. */
  verbose?: boolean
}

/** The stack as the original program would have printed it, in the form of R8's retrace: alternatives begin with `<OR>`. */
export function retracedText(lines: readonly RetracedLine[], options: RetraceTextOptions = {}): string {
  return lines.flatMap((line) => textLines(line, options)).join('\n')
}

function textLines(retraced: RetracedLine, options: RetraceTextOptions): string[] {
  const { line, className } = retraced
  if (retraced.kind === 'text') return [className === undefined ? unparsed(line) : unparsed(renamed(line, className))]
  const { line: frame, chains, gap } = retraced
  if (chains.length > 0) return alternatives(frame, chains, options)
  if (gap === 'compiler') return []
  if (className === undefined) return [unparsed(frame)]
  return [unparsed({ ...frame, className, file: isNative(frame) ? frame.file : (retraced.file ?? frame.file) })]
}

/** The frames of the chains, level by level; where they differ, every one. */
function alternatives(frame: JvmFrame, chains: readonly PlacedFrame[][], options: RetraceTextOptions): string[] {
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

function inOrder(a: PlacedFrame, b: PlacedFrame): number {
  const [left, right] = [`${a.className}.${a.method}`, `${b.className}.${b.method}`]
  return left === right ? (a.line ?? 0) - (b.line ?? 0) : left < right ? -1 : 1
}

function renamed(line: JvmLine, className: string): JvmLine {
  return line.kind === 'exception' ? { ...line, className } : line
}

function frameText(frame: JvmFrame, original: PlacedFrame, { verbose }: RetraceTextOptions): string {
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

/**
 * The stack as ProGuard's ReTrace 6.2 prints it, byte for byte. {@link retrace} reads more: module prefixes, which ReTrace leaves
 * obfuscated, and messages of one word, which it takes for the exception.
 * @throws MappingError and what reading the mapping throws.
 */
export async function proguardText(
  stack: string,
  index: MappingIndex,
  options: RetraceTextOptions = {},
): Promise<string> {
  const lines: string[] = []
  for (const text of stack.split(/\r?\n/)) {
    const line = parseJvmLine(text)
    if (line.kind === 'exception' && !line.before.endsWith('[CIRCULAR REFERENCE:'))
      lines.push(unparsed(renamed(line, index.originalName(line.className) ?? line.className)))
    else if (line.kind === 'frame' && isReTraces(line)) lines.push(...(await proguardLines(line, index, options)))
    else lines.push(text)
  }
  return lines.join('\n')
}

/** Whether ReTrace's expression, too, takes the line for a frame. */
function isReTraces({ module, file, after }: JvmFrame): boolean {
  return module === '' && !file.includes(':') && /^\)\s*(?:~\[.*\])?$/.test(after)
}

async function proguardLines(line: JvmFrame, index: MappingIndex, options: RetraceTextOptions): Promise<string[]> {
  const mapped = await index.find(line.className)
  const className = mapped?.original ?? line.className
  const at = line.line ?? 0
  const entries = (mapped?.methods.get(line.method) ?? []).filter(
    ({ from, to }) => at === 0 || to === undefined || to === 0 || ((from as number) <= at && at <= to),
  )
  if (entries.length === 0)
    return [proguardLine(line, { className, method: verbosely(line.method, options), line: at })]
  const printed: string[] = []
  let previous: string | undefined
  for (const entry of entries) {
    const text = proguardLine(line, {
      className: entry.holder ?? className,
      method: verbosely(entry.name, options, entry),
      line: proguardOriginalLine(entry, at),
    })
    const shown = previous !== undefined && at === 0 ? withoutCommonStart(text, previous) : text
    if (shown !== undefined) printed.push(shown)
    previous = text
  }
  return printed
}

function verbosely(method: string, { verbose }: RetraceTextOptions, entry?: MethodEntry): string {
  if (!verbose) return method
  return entry ? `${entry.returnType} ${method}(${entry.parameters})` : `null ${method}(null)`
}

function proguardLine(frame: JvmFrame, original: { className: string; method: string; line: number }): string {
  const simple = original.className.slice(original.className.lastIndexOf('.') + 1)
  const dollar = simple.indexOf('$')
  return unparsed({
    ...frame,
    className: original.className,
    method: original.method,
    file: `${dollar > 0 ? simple.slice(0, dollar) : simple}.java`,
    ...(frame.line !== undefined && { line: original.line }),
  })
}

function proguardOriginalLine({ from = 0, originalFrom, originalTo }: MethodEntry, line: number): number {
  if (originalFrom === undefined || originalFrom === from) return line
  const canShift =
    originalTo !== undefined && originalTo !== 0 && originalTo !== originalFrom && from !== 0 && line !== 0
  return canShift ? originalFrom - from + line : originalFrom
}

/** Blanks what an alternative has in common with the one above it, but no part of an identifier; undefined when it is the same. */
function withoutCommonStart(text: string, previous: string): string | undefined {
  let common = 0
  while (common < text.length && text[common] === previous[common]) common++
  if (common === text.length) return undefined
  while (common >= 0 && /[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mc}\p{Mn}]/u.test(text[common] ?? ' ')) common--
  return text.slice(0, common + 1).replace(/\S/g, ' ') + text.slice(common + 1)
}
